// The search in French.
import type { Given } from "../../search/query.ts";
import type { SearchWords } from "./en.ts";

const gives: Record<Given, string> = {
    any: "quelque chose ou rien",
    none: "rien",
    piece: "une pièce",
    last: "la dernière pièce",
    R: "une tour",
    N: "un cavalier",
    S: "un khon",
    M: "un met",
};

export const search: SearchWords = {
    title: "Chercher des positions",
    intro: "Des positions perdues sans le compte et sauvées par lui : le camp au trait annule, s’il trouve comment.",
    fromSet: "En chercher d’autres, selon leurs traits",
    given: "Le coup qui sauve donne",
    gives: (given) => gives[given],
    anySide: "Blancs ou Noirs",
    king: "Le roi à sauver",
    hunter: "L’autre roi",
    places: { any: "n’importe où", corner: "dans un coin", edge: "au bord", centre: "au centre" },
    short: "Coups qui manquent à l’attaquant",
    mate: "Coups pour mater sans le compte",
    least: "au moins",
    most: "au plus",
    unique: "Un seul coup sauve",
    draw: "Où sont les pièces",
    drawHint: "Choisissez une pièce et touchez les cases où elle peut être. Sans marque, elle peut être partout.",
    search: "Chercher",
    searching: "Recherche…",
    found: (n, total) =>
        total === null ? `${n} trouvée${n < 2 ? "" : "s"}.` : `${n} montrée${n < 2 ? "" : "s"} sur ${total}.`,
    scanned: (n) => `${n} positions parcourues.`,
    over: "Il n’y en a pas d’autres.",
    stop: "Arrêter",
    more: "Suite",
    save: (format) => `Enregistrer en ${format}`,
};
