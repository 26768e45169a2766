// The search in Thai.
import type { Given } from "../../search/query.ts";
import type { SearchWords } from "./en.ts";

const gives: Record<Given, string> = {
    any: "สละหรือไม่ก็ได้",
    none: "ไม่สละ",
    piece: "สละหมากหนึ่งตัว",
    last: "สละหมากตัวสุดท้าย",
    R: "สละเรือ",
    N: "สละม้า",
    S: "สละโคน",
    M: "สละเม็ด",
};

export const search: SearchWords = {
    title: "ค้นหาตำแหน่ง",
    intro: "ตำแหน่งที่ถ้าไม่นับก็แพ้ แต่การนับช่วยให้รอด: ฝ่ายที่เดินได้เสมอ ถ้าหาตาพบ",
    fromSet: "ค้นหาเพิ่มตามลักษณะ",
    given: "ตาที่รอด",
    gives: (given) => gives[given],
    anySide: "ขาวหรือดำ",
    king: "ขุนฝ่ายหนี",
    hunter: "ขุนฝ่ายไล่",
    places: { any: "ที่ใดก็ได้", corner: "อยู่มุม", edge: "อยู่ริม", centre: "อยู่กลางกระดาน" },
    short: "จำนวนทีที่ฝ่ายไล่ขาด",
    mate: "จำนวนทีถึงรุกจนถ้าไม่นับ",
    least: "อย่างน้อย",
    most: "อย่างมาก",
    unique: "มีตาเดียวที่รอด",
    draw: "ตัวหมากอยู่ที่ใด",
    drawHint: "เลือกตัวหมาก แล้วแตะช่องที่ตัวนั้นอยู่ได้ ถ้าไม่แตะช่องใด อยู่ที่ใดก็ได้",
    search: "ค้นหา",
    searching: "กำลังค้นหา…",
    found: (n, total) => (total === null ? `พบ ${n}` : `แสดง ${n} จาก ${total}`),
    scanned: (n) => `ดูแล้ว ${n} ตำแหน่ง`,
    over: "ไม่มีอีกแล้ว",
    stop: "หยุด",
    more: "ดูต่อ",
    save: (format) => `บันทึกเป็น ${format}`,
};
