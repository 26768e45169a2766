// Thai.
import type { Side } from "../api.ts";
import type { Role } from "../position.ts";
import { ROLE_NAMES } from "./roles.ts";
import { calledInThai } from "./called.ts";
import { refusal } from "./refusal/th.ts";
import type { Reason } from "./subjects.ts";
import type { Words } from "./en.ts";
import { joined } from "./joined.ts";

const side = (side: Side): string => (side === "white" ? "ขาว" : "ดำ");
const moves = (n: number) => `${n} ที`;
const roles = ROLE_NAMES.th;

export const th: Words = {
    title: "หมากรุกปลายกระดาน",
    description: "ผลของหมากรุกไทยปลายกระดาน ทั้งเมื่อนับและไม่นับ",
    about: (version: string) =>
        `ฐานข้อมูลปลายหมากรุกไทย ${version} · The Makruk tablebase authors · ซอฟต์แวร์เสรี (MIT หรือ Apache-2.0)`,
    solved: (endings: number, men: number) =>
        `ตารางที่มีที่นี่: ปลายกระดาน ${endings} แบบ ไม่เกิน ${men} ตัว ผลทุกตำแหน่งแน่นอน เพราะคำนวณย้อนจากทุกตำแหน่งที่ขุนจน`,
    checksum: "ผลรวมตรวจสอบ (SHA-256)",
    side,
    moves,
    roles,
    ending: roles,
    against: " กับ ",
    man: (of: Side, role: Role) => `${roles[role]}${side(of)}`,
    number: (n: number) => n.toLocaleString("en"),
    percent: (n: number, digits: number) => `${n.toFixed(digits)}%`,

    nav: {
        board: "กระดาน",
        materials: "ปลายกระดาน",
        find: "ค้นหา",
        train: "ฝึกหมาก",
        thumb: "นับศักดิ์",
        help: "วิธีใช้",
        views: "เมนู",
        look: "ภาษาและรูปลักษณ์",
    },
    welcome: {
        title: "เริ่มจากตรงไหนดี",
        about: "ผลที่แน่นอนของหมากรุกไทยปลายกระดาน พร้อมการนับศักดิ์",
        ways: {
            solve: { title: "แก้โจทย์", text: "โจทย์ประจำวัน" },
            lookUp: { title: "ค้นตาราง", text: "ตั้งหมากแล้วดูผล" },
            learn: { title: "เรียนรู้", text: "บทเรียนทีละขั้น" },
            thumb: { title: "นับศักดิ์", text: "แตะนับข้างกระดาน" },
        },
    },
    view: {
        language: "ภาษา",
        dark: "โหมดมืด",
        letters: "แสดงตัวหมากเป็นตัวอักษร",
        traditional: "หมากแบบดั้งเดิม",
        notation: "บันทึกหมากแบบไทย",
        flip: "กลับกระดาน",
        mirror: "สลับซ้ายขวา",
        swap: "สลับสี",
        setup: "จัดหมาก",
        done: "เสร็จแล้ว",
        play: "เดินหมาก",
        mode: "กระดานใช้ทำอะไร",
        clear: "ล้างกระดาน",
        kings: "เหลือแต่ขุน",
        start: "ไปตอนต้น",
        back: "ย้อนหนึ่งตา",
        forward: "ไปหนึ่งตา",
        end: "ไปตอนท้าย",
        board: "กระดาน",
        tools: "เครื่องมือของกระดาน",
        best: "เดินตาที่ดีที่สุด",
        removeStep: "ลบตานี้",
        promote: "ให้เป็นแนวหลัก",
        hand: "ย้ายตัวหมาก",
        remove: "เอาตัวหมากออก",
        palette: "ตัวหมากให้วาง",
        line: "ตาที่เดินมา",
        tomove: "ฝ่ายที่จะเดิน",
    },
    setupHint: "ลากตัวหมาก หรือเลือกตัวหมากแล้วแตะช่อง",
    setupKeys: "ใช้แป้นพิมพ์: ปุ่มลูกศร แล้วกด K R N S M P (กด Shift ด้วยคือขาว) หรือ Delete",
    playHint: "กดเว้นวรรคเพื่อเดินตาที่ดีที่สุด",
    pawnSquares: (of: Side, least: number, most: number) =>
        `เบี้ย${side(of)}อยู่ได้เฉพาะแถวที่ ${least} ถึง ${most} เบี้ยหงายให้วางเป็นเม็ด`,
    notMovable: (toMove: Side) => `ถึงตา${side(toMove)}เดิน ถ้าจะวางหมากตามใจ ให้เลือก “จัดหมาก”`,

    square: (name: string, man: string | null, target: boolean) =>
        `${name}${man ? ` ${man}` : ""}${target ? " เดินไปได้" : ""}`,

    verdict: {
        waiting: "กำลังค้นหา…",
        mated: (loser: Side, winner: Side) => ({ head: `รุกจน: ${side(winner)}ชนะ`, body: `${side(loser)}ถูกรุกจน` }),
        matedLate: (loser: Side, winner: Side) => ({
            head: "เสมอ: นับครบไปแล้ว",
            body: `${side(loser)}ถูกรุกจน แต่ช้าไป การนับครบก่อนตาสุดท้ายของ${side(winner)}แล้ว`,
        }),
        stalemate: (who: Side) => ({ head: "เสมอ: อับ", body: `${side(who)}ไม่มีตาเดินและไม่ถูกรุก` }),
        draw: () => ({ head: "เสมอ", body: "จะนับหรือไม่นับ ก็ไม่มีฝ่ายใดบังคับรุกจนได้" }),
        wins: (winner: Side) => `${side(winner)}ชนะ`,
        byCount: "เสมอเพราะการนับ",
        expired: "เสมอ: นับครบแล้ว",
        reason: ({ winner, loser, counted, left, needs, goal }: Reason) => {
            const count =
                left === null
                    ? `ยังมีเบี้ยคว่ำ จึงยังไม่นับ ${side(winner)}`
                    : counted
                      ? `${side(loser)}นับแล้ว ${counted[0]} จาก ${counted[1]} ${side(winner)}เหลืออีก ${moves(left)} และ`
                      : `ถ้า${side(loser)}เริ่มนับตอนนี้ ${side(winner)}มี ${moves(left)} และ`;
            if (goal === "mate") return `${count}ต้องใช้ ${moves(needs ?? 0)} จึงรุกจน`;
            const end = goal === "piece" ? `กินหมากตัวสุดท้ายของ${side(loser)}` : "ให้เบี้ยตัวสุดท้ายหงายหรือถูกกิน";
            return needs === null
                ? `${count}รุกจนหรือ${end}ให้ทันเวลาไม่ได้`
                : `${count}ต้องใช้ ${moves(needs)} เพื่อรุกจนหรือ${end}ให้ทันเวลา`;
        },
        without: (winner: Side, mate: number) => `ถ้าไม่นับ ${side(winner)}รุกจนใน ${moves(mate)}`,
        begun: (honour: "pieces" | "board", limit: number, winner: Side | null, left: number | null) =>
            `เบี้ยคว่ำหมดแล้ว เริ่มนับ${honour === "pieces" ? "ศักดิ์หมาก" : "ศักดิ์กระดาน"} ${limit}${winner && left !== null ? ` ${side(winner)}มี ${moves(left)}` : ""}`,
        slower: (needs, mate) => `${needs} ที ไม่ใช่ ${mate}: ทางรุกจนที่เร็วที่สุดกินหมากตัวสุดท้ายเร็วไป การนับที่เริ่มตอนนั้นเหลือทีไม่พอ`,
        tooSoon: (san: string, needs: number, left: number) =>
            `อย่าเพิ่งเดิน ${san}: การนับที่เริ่มจากตานั้นเหลือ ${moves(left)} แต่ต้องใช้อีก ${moves(needs)} จึงรุกจน`,
        needs: "ต้องใช้",
        leaves: "มี",
        short: (n: number) => `ขาด ${moves(n)}`,
        spare: (n: number) => (n === 0 ? "พอดี ไม่เหลือเลย" : `เหลือ ${moves(n)}`),
        turn: (who: Side) => `${side(who)}เดิน`,
        line: "เดินแนวที่ดีที่สุดให้ดู",
        fromHere: "ฝึกจากตรงนี้",
        lineEnd: { checkmate: "รุกจน", count_expired: "นับครบ: เสมอ", draw: "เสมอ", truncated: "…" },
    },

    results: {
        mode: "ดูผล",
        moves: "ผลของแต่ละตาอยู่บนช่องที่เดินไป แตะตัวหมากเพื่อดูผลเมื่อหมากตัวนั้นอยู่ในแต่ละช่อง",
        map: (man: string) => `${man}ในแต่ละช่อง`,
        legend: "วงกลม: สีนั้นชนะ และจำนวนทีที่ใช้ ข้าวหลามตัด: ชนะแต่เสมอด้วยการนับ =: เสมอ",
    },

    gaveAway: {
        win: (san: string, best: string) => `${san} ทำให้หลุดชนะ: ${best} ชนะ`,
        draw: (san: string, best: string) => `${san} ทำให้หลุดเสมอ: ${best} ยังเสมอ`,
        time: (san: string, best: string, n: number) => `${san} เสียไป ${moves(n)}: ${best} ดีที่สุด`,
    },

    group: {
        title: (who: Side) => `ตาเดินของ${side(who)}`,
        win: "ชนะ",
        drawn: "เสมอ",
        loss: "แพ้",
        unjudged: "ตาที่เดินได้",
        none: "ไม่มีตาเดิน",
    },
    move: {
        mate: "รุกจน",
        mateLate: "รุกจน แต่ช้าไป",
        draw: "เสมอ",
        toMate: (n: number) => `รุกจนใน ${moves(n)}`,
        wins: (n: number) => `ชนะใน ${moves(n)}`,
        loses: (n: number) => `แพ้ใน ${moves(n)}`,
        takesLast: (needs: number) => `กินตัวสุดท้าย แล้วรุกจนใน ${moves(needs)}`,
        beginsPieces: (limit: number, needs: number) => `เริ่มนับถึง ${limit} แล้วรุกจนใน ${moves(needs)}`,
        beginsBoard: (limit: number, mate: number) => `เริ่มนับถึง ${limit} ถ้าไม่นับ รุกจนใน ${moves(mate)}`,
        leaves: (left: number) => `นับเหลืออีก ${moves(left)}`,
        leavesLong: (left: number) => `จากนั้นนับเหลืออีก ${moves(left)}`,
        withoutCount: (n: number) => `ถ้าไม่นับ รุกจนใน ${moves(n)}`,
        save: "รอด",
        saveTitle: "ถ้าไม่นับก็แพ้ แต่การนับทำให้เสมอ",
        cursed: (left: number | null) => (left === null ? "เสมอเพราะนับ" : `เสมอ: นับเหลือแค่ ${moves(left)}`),
        cursedTitle: "ถ้าไม่นับก็ชนะ แต่การนับทำให้เสมอ",
        sacrifice: "สละหมาก",
        sacrificeLong: (capture: string, attacker: Side, needed: number, left: number | null, men: number | null) =>
            left === null || men === null
                ? `หลัง ${capture} ${side(attacker)}ต้องใช้ ${moves(needed)} จึงรุกจน${left === null ? "" : ` แต่นับเหลืออีก ${moves(left)}`}`
                : `หลัง ${capture} นับได้ถึง ${left + men} ลบหมากบนกระดาน ${men} ตัว: ${left + men} − ${men} = ${left} แต่${side(attacker)}ต้องใช้ ${moves(needed)} จึงรุกจน`,
    },

    count: {
        details: "ตัวเลข ฝ่าย และกติกาของการนับ",
        what: "การนับคืออะไร",
        term: "(การ)?นับ",
        title: "การนับ",
        none: "ไม่ได้นับ",
        runs: "กำลังนับ",
        counted: (who: Side | null, counted: number, limit: number) =>
            `${who ? side(who) : "ฝ่ายหนี"}นับแล้ว ${counted} จาก ${limit}`,
        spent: (limit: number) => `นับครบ ${limit} แล้ว`,
        leaves: (winner: Side, left: number) => `${side(winner)}เหลืออีก ${moves(left)}`,
        wouldLeave: (winner: Side, loser: Side, left: number) =>
            `ถ้า${side(loser)}เริ่มนับตอนนี้ ${side(winner)}มี ${moves(left)}`,
        says: "ไม่มีฝ่ายใดชนะได้ การนับจึงไม่มีผล",
        pawns: "ยังมีเบี้ยคว่ำ ไม่ว่าของฝ่ายใด จึงยังไม่นับ เริ่มนับเมื่อเบี้ยคว่ำตัวสุดท้ายหงายหรือถูกกิน",
        stopped: (winner: Side) => `${side(winner)}นับอยู่แต่กำลังชนะ จึงหยุดนับได้ ไม่คิดการนับนี้`,
        slider: "จำนวนทีที่นับแล้ว",
        most: "นับได้ถึงกี่ที",
        typed: ["นับแล้ว", "จาก", "ที"],
        who: "ฝ่ายที่นับ",
        noLimit: (limits: number[]) =>
            limits.length === 1
                ? `ขณะที่ทั้งสองฝ่ายยังมีหมาก นับได้ถึง ${limits[0]}`
                : `ไม่มีหมากชุดใดนับได้ถึงเท่านี้ ต้องเป็น ${limits.join(", ")}`,
        parity: (of: Side) => `PLY นี้ pychess อ่านว่า${side(of)}เป็นฝ่ายนับ`,
        honour: (honour: "pieces" | "board", limit: number) =>
            honour === "pieces"
                ? `นับศักดิ์หมาก ${limit} เริ่มนับต่อจากจำนวนหมากทั้งหมดบนกระดาน การกินไม่เปลี่ยนการนับ เมื่อนับครบ ${limit} ฝ่ายไล่เดินได้อีกหนึ่งที (กติกาแข่งขัน พ.ศ. 2569 หน้า 10–11)`
                : `นับศักดิ์กระดาน ${limit} ทั้งสองฝ่ายยังมีหมาก การกินไม่ทำให้เริ่มนับใหม่ เว้นแต่กินตัวสุดท้าย ซึ่งเริ่มนับศักดิ์หมาก จะนับก็ต่อเมื่อมีผู้เล่นขอนับ ระหว่างนั้นให้เลือก ไม่ได้นับ`,
        print: "พิมพ์ใบตัดสินสำหรับกรรมการ",
        spoken: (counted, limit) => `“${calledInThai(counted)}!” (${counted} จาก ${limit})`,
    },

    ruling: {
        title: "ใบบันทึกของกรรมการ",
        event: "รายการแข่งขัน",
        player: (of: Side) => `ผู้เล่นฝ่าย${side(of)}`,
        board: "รอบ กระดาน",
        position: "ตำแหน่ง",
        rule: "กติกา",
        ruling: "คำตัดสิน",
        goesOn: "ยังไม่จบเกม เดินต่อไป",
        goesOnWith: (winner: Side, left: number) => `ยังไม่จบเกม เดินต่อไป ${side(winner)}เหลืออีก ${moves(left)}`,
        bestPlay: "ถ้าเดินดีที่สุดทั้งสองฝ่าย",
        reason: "เหตุผล",
        repeated: "ตาซ้ำ",
        open: "ยังไม่มีผล",
        signed: "วันที่ กรรมการ",
        spoken: "คำขาน",
        dead: "ไม่มีฝ่ายใดรุกจนได้ แม้อีกฝ่ายช่วย",
        flag: (of: Side) => `ถ้า${side(of)}หมดเวลา`,
        forces: (of: Side) => `${side(of)}บังคับให้จนได้ก่อนนับครบ`,
        canMate: (of: Side, can: boolean | null) =>
            can === null ? "จะรุกจนได้หรือไม่ขึ้นอยู่กับเบี้ย" : `${side(of)}${can ? "รุกจนได้ถ้าอีกฝ่ายช่วย" : "รุกจนไม่ได้ แม้อีกฝ่ายช่วย"}`,
    },
    repeated: (times: number) =>
        times >= 3 ? `ตำแหน่งนี้เกิดขึ้นเป็นครั้งที่ ${times}: เสมอ` : "ตำแหน่งนี้เคยเกิดขึ้นแล้ว ถ้าเกิดเป็นครั้งที่สาม ถือว่าเสมอ",

    thumb: {
        title: "นับด้วยนิ้ว",
        intro: "สำหรับโต๊ะกรรมการ: เลือกการนับและตัวหมาก แล้วแตะตัวเลขทุกครั้งที่ฝ่ายนับเดิน",
        honours: { pieces: "ศักดิ์หมาก", board: "ศักดิ์กระดาน 64" },
        men: "หมากของฝ่ายไล่นอกจากขุน",
        less: (name: string) => `ลด${name}หนึ่งตัว`,
        more: (name: string) => `เพิ่ม${name}หนึ่งตัว`,
        rule: (first: number, limit: number) => `เริ่มขาน ${first} นับถึง ${limit}`,
        full: (men: number, limit: number) => `มีหมาก ${men} ตัวและนับถึง ${limit}: เสมอทันทีที่กิน เว้นแต่รุกจน`,
        begin: "เริ่มนับ",
        tap: "นับเพิ่มหนึ่งที",
        next: (number: number, limit: number) => `ต่อไป: ${number} นับถึง ${limit}`,
        called: (number: number, limit: number) => `นับแล้ว ${number} จาก ${limit}`,
        last: (number: number) => `นับครบ ${number}: ฝ่ายไล่เดินได้อีกหนึ่งที`,
        over: "นับครบแล้ว: เสมอ",
        overThai: "นับครบแล้ว เสมอ",
        undo: "ย้อนหนึ่งที",
        again: "นับใหม่",
        from: "เวลาที่ขาน",
    },

    fen: {
        label: "ตำแหน่ง (FEN)",
        copy: "คัดลอก FEN",
        copyPgn: "คัดลอก PGN",
        copyMoves: "คัดลอกตาเดิน",
        copyLink: "คัดลอกลิงก์",
        share: "แบ่งปันเป็นภาพ",
        animation: "แบ่งปันตาเดินเป็น GIF",
        copied: "คัดลอกแล้ว",
        notCopied: "เบราว์เซอร์ไม่อนุญาตให้คัดลอก",
        paste: "วางเกมหรือตำแหน่ง…",
    },
    paste: {
        title: "วางเกมหรือตำแหน่ง",
        hint: "เกม (PGN) หรือตำแหน่ง (FEN) จาก PlayOK หรือโปรแกรมใดก็ได้",
        open: "เปิด",
        cancel: "ยกเลิก",
        file: "เลือกไฟล์…",
        choose: "เกมไหน?",
        example: "เกมที่มีตาพลาด",
        empty: "ข้อความนี้ไม่มีเกม",
    },
    game: {
        title: "เกม",
        close: "ปิดเกม",
        strip: "ผลของเกมทีละตา",
        at: (ply: number, of: number, what: string) => `ครึ่งตาที่ ${ply} จาก ${of}: ${what}`,
        uncovered: "ไม่มีในตาราง",
        drawByCount: "เสมอเพราะการนับ",
        draw: "เสมอ",
        wins: (who: Side) => `${side(who)}ชนะ`,
        covered: (n: number, of: number) => `มีในตาราง ${n} จาก ${of} ตำแหน่ง`,
        among: (n: number, of: number) => `ใน ${n} ตำแหน่งจาก ${of} ที่มีตาราง: `,
        faultless: (who: Side) => `${side(who)}ไม่พลาดเลย`,
        gave: (who: Side, wins: number, draws: number, lost: number) =>
            `${side(who)}พลาด: ${[wins && `หลุดชนะ ${wins} ครั้ง`, draws && `หลุดเสมอ ${draws} ครั้ง`, lost && `เสียเวลา ${moves(lost)}`].filter(Boolean).join(", ")}`,
        practise: "ฝึกตาที่พลาด",
        next: "จุดพลาดถัดไป",
        previous: "จุดพลาดก่อนหน้า",
    },

    ...refusal,
    health: {
        away: "ติดต่อเซิร์ฟเวอร์ไม่ได้ หน้านี้จะทำงานต่อเองเมื่อเซิร์ฟเวอร์กลับมา",
        back: "เซิร์ฟเวอร์กลับมาแล้ว",
        siteAway: "ติดต่อโฮสต์ของเว็บไซต์นี้ไม่ได้ หน้านี้จะทำงานต่อเองเมื่อติดต่อได้",
        siteBack: "ติดต่อเว็บไซต์ได้แล้ว",
        offline: "เครื่องนี้ออฟไลน์อยู่ หน้านี้จะทำงานต่อเองเมื่อมีเครือข่าย",
        locked: "เซิร์ฟเวอร์นี้ต้องใช้โทเคน",
        token: "โทเคน",
        unlock: "เข้าใช้",
    },
    copyCommand: "คัดลอกคำสั่ง",

    help: {
        title: "วิธีใช้",
        close: "ปิด",
        body: [
            "ปลายกระดานหมากรุกไทยตัดสินกันด้วยการนับ: ฝ่ายที่กำลังแพ้นับตาเดินของตน ถ้านับครบก็เสมอ",
            "การนับมีสองแบบ ศักดิ์กระดานนับได้ถึง 64 ขณะที่ทั้งสองฝ่ายยังมีหมาก ศักดิ์หมากเริ่มเมื่อฝ่ายหนีเหลือแต่ขุน โดยนับต่อจากจำนวนหมากทั้งหมด และนับได้ถึง: เรือสองลำ 8 เรือลำเดียว 16 โคนสองตัว 22 ม้าสองตัว 32 โคนตัวเดียว 44 นอกนั้น 64 เมื่อนับครบแล้ว ฝ่ายไล่ยังเดินได้อีกหนึ่งที",
            "ขณะที่ยังมีเบี้ยคว่ำอยู่บนกระดาน ไม่ว่าของฝ่ายใด จะยังไม่นับ เมื่อเบี้ยคว่ำตัวสุดท้ายหงายหรือถูกกินจึงเริ่มนับ: ศักดิ์หมากถ้ามีขุนเปล่า มิฉะนั้นศักดิ์กระดาน ฝ่ายไล่จึงต้องเลือกว่าจะให้เบี้ยตัวสุดท้ายหมดไปเมื่อใด",
            "หน้านี้บอกว่าแต่ละตำแหน่งมีผลอย่างไร ทั้งเมื่อนับและไม่นับ “เสมอเพราะการนับ” คือตำแหน่งที่ถ้าไม่มีการนับก็แพ้ชนะกัน เช่น เรือสองลำไล่เรือลำเดียว การยอมเสียเรือมักช่วยให้รอด",
        ],
        offline: "หน้านี้เปิดได้แม้ไม่มีเครือข่าย โดยแสดงสิ่งที่เคยดูแล้ว เปิดครั้งแรกใช้เน็ตไม่ถึง 1 MB",
        programs: "สำหรับโปรแกรม: API ของเซิร์ฟเวอร์นี้",
        men: "ตัวหมาก",
        menBody: [
            ["K", "ขุน: เดินหนึ่งช่องได้ทุกทิศ"],
            ["R", "เรือ: เดินทางตรงกี่ช่องก็ได้"],
            ["N", "ม้า: เดินเหมือนม้าหมากรุกสากล"],
            ["S", "โคน: เดินทแยงหนึ่งช่อง หรือเดินหน้าหนึ่งช่อง"],
            ["M", "เม็ด: เดินทแยงหนึ่งช่อง เบี้ยที่หงายแล้วเดินเหมือนเม็ด"],
            ["P", "เบี้ย: เดินหน้าหนึ่งช่อง กินทแยง เบี้ยคว่ำอยู่แถวที่สามถึงห้าของฝ่ายตน"],
        ],
        keys: "แป้นพิมพ์",
        keysBody: [
            ["Space", "เดินตาที่ดีที่สุด"],
            ["← →", "ย้อนหนึ่งตา ไปหนึ่งตา"],
            ["Home End", "ไปตอนต้น ไปตอนท้าย"],
            ["F", "กลับกระดาน"],
            ["E", "จัดหมาก แล้วกลับมาเดิน"],
            ["L", "ตัวอักษรหรือรูป"],
            ["?", "วิธีใช้นี้"],
        ],
    },
};

export const words: Words = joined(th);
