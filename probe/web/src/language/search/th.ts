// The search in Thai.
import type { SearchWords } from "./en.ts";

const places = { any: "ที่ใดก็ได้", corner: "อยู่มุม", edge: "อยู่ริม", centre: "อยู่กลางกระดาน" };

export const search: SearchWords = {
    title: "ค้นหาตำแหน่ง",
    needsServer: "การค้นหาต้องอ่านตารางทั้งหมด แต่เว็บไซต์นี้ไม่มีเซิร์ฟเวอร์ ใช้ makruk-probe serve หรือ makruk-probe research แทนได้",
    intro: "ตำแหน่งในหมากปลายกระดานตามลักษณะที่เลือก ทุกตำแหน่งนำไปแก้บนกระดานได้",
    fromMaterial: "ค้นหาเพิ่มตามลักษณะ",
    kind: "ค้นหา",
    kinds: { saves: "เสมอเพราะการนับ", wins: "ชนะทันการนับ", zugzwangs: "ใครเดินเสียเปรียบ" },
    anySide: "ขาวหรือดำ",
    choices: {
        given: {
            label: "ตาที่รอด",
            any: "สละหรือไม่ก็ได้",
            none: "ไม่สละ",
            piece: "สละหมากหนึ่งตัว",
            last: "สละหมากตัวสุดท้าย",
            R: "สละเรือ",
            N: "สละม้า",
            S: "สละโคน",
            M: "สละเม็ด",
            P: "สละเบี้ย",
        },
        poisoned: { label: "การกินที่ทำให้ไม่ชนะ", any: "มีหรือไม่ก็ได้", last: "กินตัวสุดท้าย", capture: "กินตัวใดก็ได้" },
        king: { label: "ขุนฝ่ายหนี", ...places },
        attackerKing: { label: "ขุนฝ่ายไล่", ...places },
    },
    ranges: {
        short: "จำนวนทีที่ฝ่ายไล่ขาด",
        spare: "จำนวนทีที่เหลือเกิน",
        mate: "จำนวนทีถึงรุกจนถ้าไม่นับ",
    },
    flags: {
        unique: (kind) => (kind === "wins" ? "มีตาเดียวที่ชนะ" : "มีตาเดียวที่รอด"),
        byCount: () => "เพราะการนับเท่านั้น",
        full: () => "ใครเดินแพ้",
    },
    mover: "ขุนฝ่ายที่เดิน",
    least: "อย่างน้อย",
    most: "อย่างมาก",
    and: "และ (ภาษาตัวกรอง)",
    draw: "ตัวหมากอยู่ที่ใด",
    drawHint: "เลือกตัวหมาก แล้วแตะช่องที่ตัวนั้นอยู่ได้ ถ้าไม่แตะช่องใด อยู่ที่ใดก็ได้",
    search: "ค้นหา",
    searching: "กำลังค้นหา…",
    found: (n, total) => (total === null ? `พบ ${n}` : `แสดง ${n} จาก ${total}`),
    scanned: (n) => `ดูแล้ว ${n} ตำแหน่ง`,
    over: "ไม่มีอีกแล้ว",
    stop: "หยุด",
    more: "ดูต่อ",
    save: "บันทึกเป็น PGN",
    winOf: (needs, left, winning, legal) =>
        `ใช้ ${left === null ? needs : `${needs} จาก ${left}`} ที, ${winning} จาก ${legal} ตาชนะ`,
    spoils: (san) => `${san} ทำให้ไม่ชนะ`,
    zugzwangOf: (loses, otherLoses) =>
        loses ? (otherLoses ? "ใครเดินแพ้" : "ถ้าเดินแพ้ ถ้าอีกฝ่ายเดินเสมอ") : "ถ้าเดินเสมอ ถ้าอีกฝ่ายเดินชนะ",
    byCount: "เพราะการนับ",
};
