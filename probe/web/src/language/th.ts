// Thai.
import type { Problem, Side } from "../api.ts";
import type { Fault } from "../fen.ts";
import type { Role } from "../position.ts";
import { search } from "./search/th.ts";
import { trainer } from "./trainer/th.ts";
import type { Words } from "./en.ts";

const side = (side: Side): string => (side === "white" ? "ขาว" : "ดำ");
const moves = (n: number) => `${n} ที`;
const roles: Record<Role, string> = { K: "ขุน", R: "เรือ", N: "ม้า", S: "โคน", M: "เม็ด", P: "เบี้ย" };
const roleNames: Record<string, string> = {
    king: "ขุน",
    rook: "เรือ",
    knight: "ม้า",
    khon: "โคน",
    met: "เม็ด",
    pawn: "เบี้ย",
};

export const th: Words = {
    name: "ไทย",
    title: "หมากรุกปลายกระดาน",
    description: "ผลของหมากรุกไทยปลายกระดาน ทั้งเมื่อนับและไม่นับ",
    side,
    moves,
    roles,
    man: (of: Side, role: Role) => `${roles[role]}${side(of)}`,
    number: (n: number) => n.toLocaleString("en"),
    percent: (n: number, digits: number) => `${n.toFixed(digits)}%`,
    bytes: (n: number, digits: number, unit: number) => `${n.toFixed(digits)} ${["B", "kB", "MB", "GB"][unit]}`,

    nav: { board: "กระดาน", sets: "ปลายกระดาน", find: "ค้นหา", train: "ฝึกหมาก", help: "วิธีใช้" },
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
    setupHint: "ลากตัวหมาก หรือเลือกตัวหมากแล้วแตะช่อง ใช้แป้นพิมพ์: ปุ่มลูกศร แล้วกด K R N S M P (กด Shift ด้วยคือขาว) หรือ Delete",
    playHint: "กดเว้นวรรคเพื่อเดินตาที่ดีที่สุด",
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
        winsBare: (winner: Side, needs: number, left: number) => ({
            head: `${side(winner)}ชนะ`,
            body: `${side(winner)}รุกจนใน ${moves(needs)} และนับเหลืออีก ${moves(left)}`,
        }),
        winsArmed: (winner: Side, loser: Side, needs: number, left: number, mate: number) => ({
            head: `${side(winner)}ชนะ`,
            body: `ตัดสินใน ${moves(needs)} โดยรุกจน หรือกินหมากตัวสุดท้ายของ${side(loser)}ได้ทันเวลา นับเหลืออีก ${moves(left)} ถ้าไม่นับ: รุกจนใน ${moves(mate)}`,
        }),
        expired: (winner: Side, mate: number) => ({
            head: "เสมอ: นับครบแล้ว",
            body: `ถ้าไม่นับ ${side(winner)}จะรุกจนใน ${moves(mate)}`,
        }),
        countBare: (winner: Side, needs: number, left: number) => ({
            head: "เสมอเพราะการนับ",
            body: `${side(winner)}ต้องใช้ ${moves(needs)} จึงรุกจน แต่นับเหลืออีก ${moves(left)} ถ้าไม่นับ: ${side(winner)}ชนะ`,
        }),
        countArmed: (winner: Side, loser: Side, needs: number, left: number, mate: number) => ({
            head: "เสมอเพราะการนับ",
            body: `${side(winner)}ต้องใช้ ${moves(needs)} เพื่อรุกจนหรือกินหมากตัวสุดท้ายของ${side(loser)}ให้ทันเวลา แต่นับเหลืออีก ${moves(left)} ถ้าไม่นับ: รุกจนใน ${moves(mate)}`,
        }),
        countNever: (winner: Side, loser: Side, mate: number) => ({
            head: "เสมอเพราะการนับ",
            body: `ถ้าไม่นับ ${side(winner)}รุกจนใน ${moves(mate)} แต่เมื่อนับ ${side(winner)}บังคับรุกจนไม่ได้ และกินหมากตัวสุดท้ายของ${side(loser)}ให้เหลือจำนวนทีพอรุกจนก็ไม่ได้`,
        }),
        needs: "ต้องใช้",
        leaves: "นับเหลืออีก",
        short: (n: number) => `ขาด ${moves(n)}`,
        spare: (n: number) => (n === 0 ? "พอดี ไม่เหลือเลย" : `เหลือ ${moves(n)}`),
        line: "เดินแนวที่ดีที่สุดให้ดู",
        lineEnd: { checkmate: "รุกจน", count_expired: "นับครบ: เสมอ", draw: "เสมอ", truncated: "…" },
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
        toMate: (n: number) => `อีก ${moves(n)}รุกจน`,
        toDecide: (n: number) => `อีก ${moves(n)}ตัดสิน`,
        takesLast: (needs: number) => `กินตัวสุดท้าย อีก ${moves(needs)}รุกจน`,
        leaves: (left: number) => `เหลือ ${left}`,
        leavesLong: (left: number) => `จากนั้นนับเหลืออีก ${moves(left)}`,
        withoutCount: (n: number) => `ถ้าไม่นับ รุกจนใน ${moves(n)}`,
        save: "รอด",
        saveTitle: "ถ้าไม่นับก็แพ้ แต่การนับทำให้เสมอ",
        cursed: "เสมอเพราะนับ",
        cursedTitle: "ถ้าไม่นับก็ชนะ แต่การนับทำให้เสมอ",
        sacrifice: "สละหมาก",
        sacrificeLong: (capture: string, attacker: Side, needed: number, left: number | null) =>
            `หลัง ${capture} ${side(attacker)}ต้องใช้ ${moves(needed)} จึงรุกจน${left === null ? "" : ` แต่นับเหลืออีก ${moves(left)}`}`,
    },

    count: {
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
        pawns: "ยังมีเบี้ยคว่ำ จึงยังไม่นับ",
        stopped: (winner: Side) => `${side(winner)}นับอยู่แต่กำลังชนะ จึงหยุดนับได้ ไม่คิดการนับนี้`,
        fields: "ใน FEN (ครึ่งตา)",
        slider: "จำนวนทีที่นับแล้ว",
        most: "นับได้ถึงกี่ที",
        typed: ["นับแล้ว", "จาก", "ที"],
        who: "ฝ่ายที่นับ",
        derive: (moves: number) => `ใช้จำนวนตามตัวหมาก: ${moves}`,
        honour: (honour: "pieces" | "board", limit: number) =>
            honour === "pieces"
                ? `นับศักดิ์หมาก ${limit} เริ่มนับต่อจากจำนวนหมากทั้งหมดบนกระดาน การกินไม่เปลี่ยนการนับ เมื่อนับครบ ${limit} ฝ่ายไล่เดินได้อีกหนึ่งที (กติกาแข่งขัน พ.ศ. 2569 หน้า 10–11)`
                : `นับศักดิ์กระดาน ${limit} ทั้งสองฝ่ายยังมีหมาก การกินไม่ทำให้เริ่มนับใหม่ เว้นแต่กินตัวสุดท้าย ซึ่งเริ่มนับศักดิ์หมาก`,
        print: "พิมพ์ใบตัดสินสำหรับกรรมการ",
    },

    ruling: {
        title: "ใบตัดสิน",
        position: "ตำแหน่ง",
        rule: "กติกา",
        ruling: "ผล",
        reason: "เหตุผล",
        repeated: "ตาซ้ำ",
        open: "ยังไม่มีผล",
        signed: "วันที่ กรรมการ",
        spoken: "คำขาน",
    },
    repeated: (times: number) =>
        times >= 3 ? `ตำแหน่งนี้เกิดขึ้นเป็นครั้งที่ ${times}: เสมอ` : "ตำแหน่งนี้เคยเกิดขึ้นแล้ว ถ้าเกิดเป็นครั้งที่สาม ถือว่าเสมอ",

    fen: {
        label: "ตำแหน่ง (FEN)",
        copy: "คัดลอก FEN",
        copyPgn: "คัดลอก PGN",
        copyMoves: "คัดลอกตาเดิน",
        copyLink: "คัดลอกลิงก์",
        embed: "คัดลอกโค้ดสำหรับฝัง",
        picture: "บันทึกเป็นภาพ",
        share: "แบ่งปันเป็นภาพ",
        copied: "คัดลอกแล้ว",
        notCopied: "เบราว์เซอร์ไม่อนุญาตให้คัดลอก",
        paste: "วางเกมหรือตำแหน่ง…",
    },
    paste: {
        title: "วางเกมหรือตำแหน่ง",
        hint: "PGN หนึ่งเกมหรือหลายเกม หรือ FEN ใช้ตัวอักษรของโปรแกรมใดก็ได้",
        open: "เปิด",
        cancel: "ยกเลิก",
        file: "เลือกไฟล์…",
        choose: "เกมไหน?",
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
        missing: (n: number, command: string) => `อีก ${n} ตำแหน่งต้องใช้ตารางที่ยังไม่มี: ${command}`,
        faultless: (who: Side) => `${side(who)}ไม่พลาดเลย`,
        gave: (who: Side, wins: number, draws: number, lost: number) =>
            `${side(who)}พลาด: ${[wins && `หลุดชนะ ${wins} ครั้ง`, draws && `หลุดเสมอ ${draws} ครั้ง`, lost && `เสียเวลา ${moves(lost)}`].filter(Boolean).join(", ")}`,
        next: "จุดพลาดถัดไป",
        previous: "จุดพลาดก่อนหน้า",
        list: (n: number) => `จุดพลาดทั้งหมด ${n}`,
        results: "หลุดชนะหรือหลุดเสมอ",
        time: "เสียเวลา",
    },

    examples: {
        title: "ตัวอย่าง",
        game: "เกมเต็ม จบด้วยรุกจนในตาที่ 113",
        findDraw: "หาตาเสมอ",
        findWin: "หาตาชนะ",
        about: {
            rook: "เรือสองลำไล่เรือลำเดียว",
            khon: "กินโคนดีไหม?",
            bait: "เหลือแต่โคนตัวเดียว",
            clock: "เรือแข่งกับการนับ",
            step: "มีช่องเดียวที่รอด",
            long: "ม้ากับเม็ด ทีละก้าว",
        },
    },
    quiz: {
        draw: (who: Side) => `${side(who)}เดิน: หาตาเสมอ`,
        win: (who: Side) => `${side(who)}เดิน: หาตาชนะ`,
        show: "เฉลยตาเดิน",
        hint: "เดินหมากบนกระดาน",
        wrong: (san: string, kind: "draw" | "win") => (kind === "draw" ? `${san} ไม่เสมอ` : `${san} ไม่ชนะ`),
        right: (san: string) => `ถูกต้อง ${san}!`,
        next: "ข้อถัดไป",
        again: "ลองใหม่",
    },

    sets: {
        keep: {
            button: "เก็บตารางหมากไม่เกินสี่ตัวทั้งหมดไว้ในเครื่องนี้ (30 MB)",
            underWay: (share: string) => `กำลังเก็บตาราง ${share}`,
            kept: "ตารางหมากไม่เกินสี่ตัวทั้งหมดอยู่ในเครื่องนี้แล้ว ดูตำแหน่งเหล่านั้นได้โดยไม่ต้องต่อเน็ต",
        },
        title: "หมากปลายกระดาน",
        intro: "ปลายกระดานทั้งหมดที่ตารางรู้ นับชัยชนะของทั้งสองฝ่าย ไม่ว่าฝ่ายใดเดิน",
        filter: "ค้นหา เช่น KRRvKR, RR หรือ เรือ โคน",
        men: (n: number) => `${n} ตัว`,
        all: "ทั้งหมด",
        name: "ปลายกระดาน",
        wins: "แพ้ชนะและเสมอ",
        mate: "รุกจนนานสุด",
        event: "นานสุดเมื่อมีการนับ",
        lost: "ชนะที่เสียไปเพราะนับ",
        size: "ขนาด",
        none: "ไม่พบปลายกระดานเช่นนี้",
        missing: "ไม่มี",
        build: "ยังไม่มีตารางนี้ สร้างได้ด้วย",
        buildAll: (n: number) => `ยังไม่มีอีก ${n} รายการ แต่ละรายการมีคำสั่งสำหรับสร้าง`,
        noTables: "เซิร์ฟเวอร์นี้ยังไม่มีตาราง สร้างตารางหมากไม่เกินสี่ตัวได้ด้วย",
        back: "ปลายกระดานทั้งหมด",
        totals: "สรุป",
        tomove: (who: Side) => `${side(who)}เดิน`,
        won: (who: Side) => `${side(who)}ชนะ`,
        drawn: "เสมอ",
        lostToCount: (share: string) => `ถ้าเริ่มนับตอนนี้ ชัยชนะ ${share} จะกลายเป็นเสมอ`,
        noneLost: "แม้เริ่มนับตอนนี้ ก็ไม่มีชัยชนะใดเสียไป",
        histogram: "ต้องใช้กี่ทีจึงชนะ",
        histogramOf: (winner: Side, toMove: Side) => `${side(winner)}ชนะ ${side(toMove)}เดิน`,
        histogramAxis: "ที",
        byMate: "จนถึงรุกจน",
        byEvent: "จนถึงรุกจน หรือกินตัวสุดท้ายได้ทันเวลา",
        limit: (n: number) => `นับเหลืออีก ${n}`,
        beyond: "นานเกินการนับ",
        within: "ทันเวลา",
        bar: (n: number, positions: string) => `${moves(n)}: ${positions} ตำแหน่ง`,
        never: (positions: string) => `อีก ${positions} ตำแหน่งบังคับรุกจนได้ แต่ไม่มีทางทันการนับ`,
        longest: "ชนะที่ยาวที่สุด",
        longestNone: "ตำแหน่งของฝ่ายนี้คำนวณจากตาเดิน จึงไม่มีรายการ",
        compare: "เทียบกับ",
        compareTitle: (a: string, b: string) => `${a} กับ ${b}`,
        figures: "ตัวเลข",
        wonOf: (who: Side) => `ตำแหน่งที่${side(who)}ชนะ`,
        drawnOf: "ตำแหน่งเสมอ",
        lostShare: "ชนะที่เสียไปเพราะการนับ",
        pending: "กำลังค้นหา…",
        progress: (share: string) => `ค้นแล้ว ${share} ของตาราง`,
        searching: (most: number) => `นานที่สุดคือ ${moves(most)} กำลังค้นทั้งตารางว่าอยู่ที่ไหน ตารางใหญ่ใช้เวลาหนึ่งถึงสองนาที`,
        saves: "ตำแหน่งรอดให้ลองหา",
        savesHint: "ถ้าไม่นับก็แพ้ จงหาตาที่เสมอ",
        savesCount: (n: string) => `ปลายกระดานนี้มี ${n} ตำแหน่ง`,
        savesNone: "ไม่พบตำแหน่งเช่นนั้น",
        saveOf: (drawing: number, legal: number) => `เสมอ ${drawing} จาก ${legal} ตา`,
    },

    problem: (problem: Problem): string => {
        switch (problem.problem) {
            case "missing_king":
                return `${side(problem.side)}ไม่มีขุน`;
            case "opposite_check":
                return `${side(problem.side)}ถูกรุกอยู่ แต่ยังไม่ถึงตา${side(problem.side)}เดิน`;
            case "touching_kings":
                return "ขุนทั้งสองอยู่ติดกัน";
            case "pawn_beyond_promotion":
                return `เบี้ยที่ ${problem.square} ควรหงายเป็นเม็ดไปแล้ว`;
            case "too_many":
                return `${side(problem.side)}มี${roleNames[problem.role] ?? problem.role} ${problem.found} ตัว: มีได้ไม่เกิน ${problem.most}`;
        }
    },
    fault: (fault: Fault): string => {
        switch (fault.field) {
            case "empty":
                return "ไม่มีตำแหน่งในข้อความนี้";
            case "ranks":
                return `กระดานมี ${fault.found} แถว: ต้องมี 8 แถว คั่นด้วย /`;
            case "rank":
                return `แถวที่ ${fault.rank} “${fault.found}” มี ${fault.squares} ช่อง: ต้องมี 8 ช่อง`;
            case "letter":
                return `แถวที่ ${fault.rank} มี “${fault.found}”: ตัวหมากคือ K R N S M P (หรือ B E แทน S, Q F แทน M) ช่องว่างคือ 1 ถึง 8`;
            case "side":
                return fault.found ? `ฝ่ายที่จะเดินคือ “${fault.found}”: ต้องเป็น w หรือ b` : "ไม่ได้บอกฝ่ายที่จะเดิน: w หรือ b";
            case "limit":
                return `LIMIT ของการนับคือ “${fault.found}”: ต้องเป็น - หรือ 1 ถึง 9999`;
            case "ply":
                return `PLY ของการนับคือ “${fault.found}”: ต้องเป็น 0 ถึง 9999`;
        }
    },
    mistake: {
        line: (line: number) => `บรรทัด ${line}: `,
        tag: (found: string) => `“${found}” ไม่ใช่แท็ก ต้องเป็น [ชื่อ "ค่า"]`,
        fen: () => "แท็ก FEN ไม่ใช่ตำแหน่ง",
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
        illegal: "ตำแหน่งนี้เป็นไปไม่ได้",
        bad_fen: "ไม่ใช่ FEN",
        bad_count: "ตัวเลขการนับไม่ถูกต้อง",
        bad_pgn: "อ่านเกมไม่ได้",
        bad_filter: "อ่านตัวกรองไม่ได้",
        too_large: "ยาวเกินกว่าที่เซิร์ฟเวอร์รับได้",
        deadline_exceeded: "ใช้เวลานานเกินไป",
        has_pawns: "ยังมีเบี้ย จึงยังไม่มีผล",
        has_pawnsBody: "ตารางเริ่มเมื่อเบี้ยตัวสุดท้ายหงายหรือถูกกิน เดินต่อจากตรงนี้ได้",
        too_many_men: "หมากมากเกินกว่าที่ตารางมี",
        too_many_menBody: "ตารางรู้เฉพาะปลายกระดานที่เหลือหมากน้อยตัว เดินต่อจากตรงนี้ได้",
        missing_table: "ไม่มีตาราง",
        missing_tableBody: "เซิร์ฟเวอร์นี้ไม่มีตารางของปลายกระดานนี้ หรือของปลายกระดานหลังการกิน สร้างได้ด้วย",
        corrupt_table: "ตารางเสียหาย",
        missing_tableHere: "เว็บไซต์นี้ไม่มีตารางของปลายกระดานนี้ หรือของปลายกระดานหลังการกิน",
        no_range: "โฮสต์ส่งได้เฉพาะทั้งไฟล์",
        wrong_range: "โฮสต์ส่งข้อมูลไม่ตรงกับที่ขอ",
        no_file: "ไฟล์หายไปจากโฮสต์",
        refused: "โฮสต์ไม่ให้ไฟล์",
        changed: "ตารางถูกเปลี่ยนระหว่างนี้ โปรดโหลดหน้านี้ใหม่",
        damaged: "ตารางที่นั่นเสียหาย",
        other: "ไม่มีคำตอบ",
    },
    search,
    trainer,
    health: {
        away: "ติดต่อเซิร์ฟเวอร์ไม่ได้ หน้านี้จะทำงานต่อเองเมื่อเซิร์ฟเวอร์กลับมา",
        back: "เซิร์ฟเวอร์กลับมาแล้ว",
        locked: "เซิร์ฟเวอร์นี้ต้องใช้โทเคน",
        token: "โทเคน",
        unlock: "เข้าใช้",
    },
    copyCommand: "คัดลอกคำสั่ง",

    help: {
        title: "วิธีใช้",
        close: "ปิด",
        body: [
            "ปลายกระดานหมากรุกไทยตัดสินกันด้วยการนับ เมื่อฝ่ายหนึ่งเหลือแต่ขุน อีกฝ่ายมีจำนวนทีจำกัดที่จะรุกจน ยิ่งแข็งแรงยิ่งน้อย: เรือสองลำได้ 8 ที หักด้วยหมากทั้งหมดบนกระดาน ถ้านับครบก็เสมอ ขณะที่ทั้งสองฝ่ายยังมีหมาก ฝ่ายที่เป็นรองนับได้ถึง 64 (ศักดิ์กระดาน)",
            "การนับมีสองแบบ ศักดิ์กระดานนับได้ถึง 64 ขณะที่ทั้งสองฝ่ายยังมีหมาก ศักดิ์หมากเริ่มเมื่อฝ่ายหนีเหลือแต่ขุน โดยนับต่อจากจำนวนหมากทั้งหมด และนับได้ถึง: เรือสองลำ 8 เรือลำเดียว 16 โคนสองตัว 22 ม้าสองตัว 32 โคนตัวเดียว 44 นอกนั้น 64 เมื่อนับครบแล้ว ฝ่ายไล่ยังเดินได้อีกหนึ่งที",
            "หน้านี้บอกว่าแต่ละตำแหน่งมีผลอย่างไร ทั้งเมื่อนับและไม่นับ “เสมอเพราะการนับ” คือตำแหน่งที่ถ้าไม่มีการนับก็แพ้ชนะกัน เช่น เรือสองลำไล่เรือลำเดียว การยอมเสียเรือมักช่วยให้รอด",
        ],
        men: "ตัวหมาก",
        menBody: [
            ["K", "ขุน: เดินหนึ่งช่องได้ทุกทิศ"],
            ["R", "เรือ: เดินทางตรงกี่ช่องก็ได้"],
            ["N", "ม้า: เดินเหมือนม้าหมากรุกสากล"],
            ["S", "โคน: เดินทแยงหนึ่งช่อง หรือเดินหน้าหนึ่งช่อง"],
            ["M", "เม็ด: เดินทแยงหนึ่งช่อง เบี้ยที่หงายแล้วเดินเหมือนเม็ด"],
            ["P", "เบี้ย: เดินหน้าหนึ่งช่อง กินทแยง"],
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
