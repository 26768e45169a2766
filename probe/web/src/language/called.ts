// Numbers as they are called out in Thai, in any language of the page.

const UNITS = ["", "หนึ่ง", "สอง", "สาม", "สี่", "ห้า", "หก", "เจ็ด", "แปด", "เก้า"];

/** A number in Thai words, up to 99. */
export function calledInThai(n: number): string {
    const [tens, ones] = [Math.floor(n / 10), n % 10];
    const ten = tens === 0 ? "" : `${tens === 1 ? "" : tens === 2 ? "ยี่" : UNITS[tens]}สิบ`;
    return ten + (ones === 1 && tens > 0 ? "เอ็ด" : UNITS[ones]!);
}
