// Refusals in Thai: what cannot be read, played or answered, and why.
import type { Side } from "../../api.ts";
import type { RefusalWords } from "./en.ts";

const side = (side: Side) => (side === "white" ? "ขาว" : "ดำ");
const roleNames: Record<string, string> = {
    king: "ขุน",
    rook: "เรือ",
    knight: "ม้า",
    khon: "โคน",
    met: "เม็ด",
    pawn: "เบี้ย",
};

export const refusal: RefusalWords = {
    problem: {
        missing_king: ({ side: who }) => `${side(who)}ไม่มีขุน`,
        opposite_check: ({ side: who }) => `${side(who)}ถูกรุกอยู่ แต่ยังไม่ถึงตา${side(who)}เดิน`,
        touching_kings: () => "ขุนทั้งสองอยู่ติดกัน",
        pawn_beyond_promotion: ({ square }) => `เบี้ยที่ ${square} ควรหงายเป็นเม็ดไปแล้ว`,
        pawn_behind_start: ({ square }) => `เบี้ยอยู่ที่ ${square} ไม่ได้: เบี้ยเริ่มที่แถวที่สามของฝ่ายตนและไม่ถอย`,
        too_many_mets_and_pawns: ({ found, most, side: who }) =>
            `${side(who)}มีเม็ดกับเบี้ยรวม ${found} ตัว: มีได้ไม่เกิน ${most}`,
        too_many: ({ found, most, role, side: who }) =>
            `${side(who)}มี${roleNames[role] ?? role} ${found} ตัว: มีได้ไม่เกิน ${most}`,
    },
    fault: {
        empty: () => "ไม่มีตำแหน่งในข้อความนี้",
        ranks: ({ found }) => `กระดานมี ${found} แถว: ต้องมี 8 แถว คั่นด้วย /`,
        rank: ({ found, rank, squares }) => `แถวที่ ${rank} “${found}” มี ${squares} ช่อง: ต้องมี 8 ช่อง`,
        letter: ({ found, rank }) =>
            `แถวที่ ${rank} มี “${found}”: ตัวหมากคือ K R N S M P (หรือ B E แทน S, Q F แทน M) ช่องว่างคือ 1 ถึง 8`,
        side: ({ found }) => (found ? `ฝ่ายที่จะเดินคือ “${found}”: ต้องเป็น w หรือ b` : "ไม่ได้บอกฝ่ายที่จะเดิน: w หรือ b"),
        third: ({ found }) => `ช่องที่สามคือ “${found}”: ต้องเป็น -`,
        fullmove: ({ found }) => `เลขตาเดินคือ “${found}”: ต้องเป็น 1 ขึ้นไป`,
        limit: ({ found }) => `LIMIT ของการนับคือ “${found}”: ต้องเป็น - หรือ 1 ถึง 9999`,
        ply: ({ found }) => `PLY ของการนับคือ “${found}”: ต้องเป็น 0 ถึง 9999`,
    },
    mistake: {
        line: (line: number) => `บรรทัด ${line}: `,
        tag: (found: string) => `“${found}” ไม่ใช่แท็ก ต้องเป็น [ชื่อ "ค่า"]`,
        fen: () => "แท็ก FEN ไม่ใช่ตำแหน่ง",
        variant: (found: string) => `แท็ก Variant คือ “${found}”: อ่านได้เฉพาะหมากรุกไทย`,
        position: (found: string) => `“${found}” เป็นตำแหน่ง ไม่มีตาเดินต่อ`,
        move: (found: string, number: string) => `ตา ${number} “${found}” ไม่ใช่ตาเดิน`,
        promotion: (found: string, number: string) => `ตา ${number} “${found}” หงายเบี้ย แต่ไม่มีเบี้ยที่หงายได้`,
        illegal_move: (found: string, number: string, moves: string) =>
            `ตา ${number} “${found}” ผิดกติกา${moves ? `: ${moves}` : ""}`,
        ambiguous_move: (found: string, number: string, moves: string) =>
            `ตา ${number} “${found}” เป็นได้หลายตา: ${moves}`,
        open_comment: () => "หมายเหตุไม่ปิดด้วย }",
        open_variation: () => "ตาเดินอื่นไม่ปิดด้วย )",
        stray_close: () => "มี ) เกินมา",
        column: (column: number, found: string) => `ไม่เข้าใจตั้งแต่อักษรที่ ${column}: ${found}`,
    },
    error: {
        bad_material: (found: string) => `“${found}” ไม่ใช่ชื่อปลายกระดาน: ต้องมีสองฝ่ายและขุนทั้งสองฝ่าย เช่น KRRvKR`,
        illegal: "ตำแหน่งนี้เป็นไปไม่ได้",
        bad_fen: "ไม่ใช่ FEN",
        bad_count: "ตัวเลขการนับไม่ถูกต้อง",
        bad_pgn: "อ่านเกมไม่ได้",
        bad_filter: "อ่านตัวกรองไม่ได้",
        too_large: "ยาวเกินกว่าที่เซิร์ฟเวอร์รับได้",
        deadline_exceeded: "ใช้เวลานานเกินไป",
        too_many_men: "หมากมากเกินกว่าที่ตารางมี",
        too_many_menBody: "ตารางรู้เฉพาะปลายกระดานที่เหลือหมากน้อยตัว เดินต่อจากตรงนี้ได้",
        missing_table: "ไม่มีตาราง",
        missing_tableBody: "เซิร์ฟเวอร์นี้ไม่มีตารางของปลายกระดานนี้ หรือของปลายกระดานหลังการกินหรือการหงายเบี้ย สร้างได้ด้วย",
        corrupt_table: "ตารางเสียหาย",
        missing_tableHere: "เว็บไซต์นี้ไม่มีตารางของปลายกระดานนี้ หรือของปลายกระดานหลังการกินหรือการหงายเบี้ย",
        no_range: "โฮสต์ส่งได้เฉพาะทั้งไฟล์",
        wrong_range: "โฮสต์ส่งข้อมูลไม่ตรงกับที่ขอ",
        no_file: "ไฟล์หายไปจากโฮสต์",
        refused: "โฮสต์ไม่ให้ไฟล์",
        changed: "ตารางถูกเปลี่ยนระหว่างนี้ โปรดโหลดหน้านี้ใหม่",
        misfit: "ไฟล์บนโฮสต์ไม่ตรงกับสารบัญของเว็บไซต์ อาจขาดหรือถูกเปลี่ยน ผู้ดูแลเว็บไซต์ต้องอัปโหลดใหม่",
        out_of_reach: "เว็บไซต์ตอบ แต่ตารางไม่ตอบ: โฮสต์ของตารางไม่อยู่ หรือไม่ยอมให้หน้าเว็บนี้อ่าน (Access-Control-Allow-Origin)",
        part_away: "โหลดส่วนนี้ของหน้าไม่ได้: ไม่มีเครือข่าย หรือหน้านี้ถูกเปลี่ยน",
        again: "ลองอีกครั้ง",
        reload: "โหลดหน้านี้ใหม่",
        timeout: "โฮสต์ตอบช้าเกินไป",
        damaged: "ตารางที่นั่นเสียหาย",
        other: "ไม่มีคำตอบ",
    },
};
