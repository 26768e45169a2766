// The search in French.
import type { SearchWords } from "./en.ts";

const places = { any: "n’importe où", corner: "dans un coin", edge: "au bord", centre: "au centre" };

export const search: SearchWords = {
    title: "Chercher des positions",
    needsServer:
        "Une recherche parcourt des tables entières, et ce site n’a pas de serveur pour le faire. makruk-probe serve sait chercher, makruk-probe research aussi.",
    intro: "Les positions d’une finale, selon leurs traits. Chacune se résout sur l’échiquier.",
    fromMaterial: "En chercher d’autres, selon leurs traits",
    kind: "Chercher",
    kinds: { saves: "nulles sauvées par le compte", wins: "gains à temps", zugzwangs: "zugzwangs" },
    anySide: "Blancs ou Noirs",
    choices: {
        given: {
            label: "Le coup qui sauve donne",
            any: "quelque chose ou rien",
            none: "rien",
            piece: "une pièce",
            last: "la dernière pièce",
            R: "une tour",
            N: "un cavalier",
            S: "un khon",
            M: "un met",
            P: "un pion",
        },
        poisoned: {
            label: "Une prise qui gâche le gain",
            any: "peu importe",
            last: "de la dernière pièce",
            capture: "d’une pièce quelconque",
        },
        king: { label: "Le roi du camp qui compte", ...places },
        attackerKing: { label: "L’autre roi", ...places },
    },
    ranges: {
        short: "Coups qui manquent à l’attaquant",
        spare: "Coups de reste",
        mate: "Coups pour mater sans le compte",
    },
    flags: {
        unique: (kind) => (kind === "wins" ? "Un seul coup gagne" : "Un seul coup sauve"),
        byCount: () => "Seulement à cause du compte",
        full: () => "Qui joue perd",
    },
    mover: "Le roi du camp au trait",
    least: "au moins",
    most: "au plus",
    and: "Et, dans les mots du filtre",
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
    save: "Enregistrer en PGN",
    winOf: (needs, left, winning, legal) =>
        `${needs} coup${needs < 2 ? "" : "s"}${left === null ? "" : ` sur ${left}`}, ${winning} de ${legal} coups gagne${winning < 2 ? "" : "nt"}`,
    spoils: (san) => `${san} gâche tout`,
    zugzwangOf: (loses, otherLoses) =>
        loses ? (otherLoses ? "qui joue perd" : "au trait : perdu ; sinon nulle") : "au trait : nulle ; sinon gagné",
    byCount: "par le compte",
};
