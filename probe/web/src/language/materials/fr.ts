// The endings in French.
import type { Side } from "../../api.ts";
import type { MaterialWords } from "./en.ts";

const side = (side: Side): string => (side === "white" ? "Blancs" : "Noirs");
const moves = (n: number) => `${n} coup${n < 2 ? "" : "s"}`;
const The = (of: Side) => `Les ${side(of)}`;

export const materials: MaterialWords = {
    keep: {
        button: "Garder sur cet appareil toutes les tables jusqu’à quatre pièces (40 Mo)",
        underWay: (share: string) => `Les tables sont gardées : ${share}`,
        kept: "Toutes les tables jusqu’à quatre pièces sont sur cet appareil. Leurs positions se passent du réseau.",
    },
    title: "Finales",
    intro: "Toutes les finales que les tables connaissent. Les gains sont ceux des deux camps, quel que soit le trait.",
    filter: "Chercher : RR, tour et khon",
    men: (n: number) => `${n} pièces`,
    all: "Toutes",
    allMen: "Par nombre de pièces",
    allPawns: "Par nombre de pions",
    pawns: (n: number) => (n === 0 ? "Sans pion" : n === 1 ? "1 pion" : `${n} pions`),
    name: "Finale",
    wins: "Gains et nulles",
    mate: "Mat le plus long",
    conversion: "Le plus long sous le compte",
    lost: "Gains perdus au compte",
    none: "Aucune finale ne correspond.",
    missing: "manque",
    build: "Cette table n’est pas là. Pour la construire :",
    buildAll: (n: number) => `Montrer les ${n} finales sans tables`,
    noTables: "Ce serveur n’a pas encore de tables. Pour construire toutes celles de quatre pièces au plus :",
    back: "Toutes les finales",
    totals: "Totaux",
    won: (who: Side) => `${The(who)} gagnent`,
    drawn: "Nulle",
    lostToCount: (share: string) => `${share} des gains sont perdus au compte qui commence maintenant.`,
    noneLost: "Aucun gain n’est perdu à un compte qui commence maintenant.",
    lostToCountPawns: (share: string) =>
        `${share} des gains sont perdus au compte : de quelque façon que parte le dernier pion, il reste trop peu de coups.`,
    noneLostPawns: "Aucun gain n’est perdu au compte qui commence quand le dernier pion part.",
    histogram: "La durée des gains",
    histogramOf: (winner: Side, toMove: Side) => `${The(winner)} gagnent, trait aux ${side(toMove)}`,
    histogramAxis: "coups",
    byMate: "jusqu’au mat",
    byConversion: "jusqu’au mat, ou à une prise qui gagne à temps",
    byConversionPawns: "jusqu’au mat, ou à la fin du dernier pion qui gagne à temps",
    limit: (n: number) => `le compte laisse ${n}`,
    beyond: "trop long pour le compte",
    within: "à temps",
    bar: (n: number, positions: string) => `${moves(n)} : ${positions} positions`,
    never: (positions: string) =>
        `Dans ${positions} autres le mat est forcé, mais rien n’arrive à temps pour le compte.`,
    longest: "Les gains les plus longs",
    longestNone: "Les positions de ce camp se déduisent de ses coups ; aucune n’est listée.",
    pending: "Recherche en cours…",
    longestTake: (most: number) => `Les plus longs prennent ${moves(most)}.`,
    longestUnsearched: "Cette table est trop grande pour que leurs positions y soient cherchées ici.",
    saves: "Des sauvetages à trouver",
    savesHint: "Perdu sans le compte. Trouvez le coup qui annule.",
    savesCount: (n: string) => `Cette finale en a ${n}.`,
    savesNone: "Aucun sauvetage de ce genre ne s’est présenté.",
    saveOf: (drawing: number, legal: number) => `${drawing} coup${drawing < 2 ? " annule" : "s annulent"} sur ${legal}`,
};
