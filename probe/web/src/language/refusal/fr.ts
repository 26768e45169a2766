// Refusals in French: what cannot be read, played or answered, and why.
import type { Side } from "../../api.ts";
import type { RefusalWords } from "./en.ts";

const The = (of: Side) => (of === "white" ? "Les Blancs" : "Les Noirs");
const roleNames: Record<string, string> = {
    king: "rois",
    rook: "tours",
    knight: "cavaliers",
    khon: "khons",
    met: "mets",
    pawn: "pions",
};

export const refusal: RefusalWords = {
    problem: {
        missing_king: ({ side: who }) => `${The(who)} n’ont pas de roi.`,
        opposite_check: ({ side: who }) => `${The(who)} sont en échec, mais ce n’est pas à eux de jouer.`,
        touching_kings: () => "Les rois se touchent.",
        pawn_beyond_promotion: ({ square }) => `Le pion en ${square} serait devenu un met.`,
        pawn_behind_start: ({ square }) =>
            `Aucun pion ne peut être en ${square} : les pions partent de leur troisième rangée et ne reculent jamais.`,
        too_many_mets_and_pawns: ({ found, most, side: who }) =>
            `${The(who)} ont ${found} mets et pions ensemble : ${most} au plus.`,
        too_many: ({ found, most, role, side: who }) =>
            `${The(who)} ont ${found} ${roleNames[role] ?? role} : ${most} au plus.`,
    },
    fault: {
        empty: () => "Il n’y a pas de position.",
        ranks: ({ found }) =>
            `L’échiquier a ${found} rangée${Number(found) < 2 ? "" : "s"} : il en faut 8, séparées par des /.`,
        rank: ({ found, rank, squares }) => `La rangée ${rank}, « ${found} », a ${squares} cases : il en faut 8.`,
        letter: ({ found, rank }) =>
            `La rangée ${rank} contient « ${found} » : les pièces sont K R N S M P (ou B E pour S, Q F pour M), les cases vides 1 à 8.`,
        side: ({ found }) => (found ? `Le trait est « ${found} » : il faut w ou b.` : "Le trait manque : w ou b."),
        third: ({ found }) => `Le troisième champ est « ${found} » : il faut -.`,
        fullmove: ({ found }) => `Le numéro du coup est « ${found} » : il faut 1 ou plus.`,
        limit: ({ found }) => `La LIMIT du compte est « ${found} » : il faut - ou 1 à 9999.`,
        ply: ({ found }) => `Le PLY du compte est « ${found} » : il faut 0 à 9999.`,
    },
    mistake: {
        line: (line: number) => `Ligne ${line} : `,
        tag: (found: string) => `« ${found} » n’est pas une étiquette : il faut [Nom "valeur"].`,
        fen: () => "son étiquette FEN n’est pas une position.",
        variant: (found: string) => `son étiquette Variant est « ${found} » : seules les parties de makruk sont lues.`,
        position: (found: string) => `« ${found} » est une position, sans coup qui la suive.`,
        move: (found: string, number: string) => `coup ${number} « ${found} » n’est pas un coup.`,
        promotion: (found: string, number: string) =>
            `coup ${number} « ${found} » promeut, mais aucun pion ne le peut.`,
        illegal_move: (found: string, number: string, moves: string) =>
            `coup ${number} « ${found} » n’est pas légal${moves ? ` : ${moves}` : ""}.`,
        ambiguous_move: (found: string, number: string, moves: string) =>
            `coup ${number} « ${found} » peut en être plusieurs : ${moves}.`,
        open_comment: () => "un commentaire n’est pas fermé par }.",
        open_variation: () => "une variante n’est pas fermée par ).",
        stray_close: () => "une ) ne ferme aucune variante.",
        column: (column: number, found: string) => `Pas compris à partir de la lettre ${column} : ${found}`,
    },
    error: {
        bad_material: (found: string) =>
            `« ${found} » n’est pas une finale : il faut deux camps avec leurs rois, comme KRRvKR`,
        illegal: "Cette position est impossible",
        bad_fen: "Ce n’est pas une FEN",
        bad_count: "Le compte n’est pas un tel nombre",
        bad_pgn: "La partie n’est pas lisible",
        bad_filter: "Le filtre n’est pas lisible",
        too_large: "C’est trop long pour le serveur",
        deadline_exceeded: "La réponse a pris trop de temps",
        too_many_men: "Trop de pièces pour les tables",
        too_many_menBody: "Les tables connaissent les finales de quelques pièces. Vous pouvez continuer à jouer.",
        missing_table: "La table manque",
        missing_tableBody:
            "Ce serveur n’a pas de table pour cette finale, ou pour une à laquelle mène une prise ou une promotion. Pour la construire :",
        corrupt_table: "La table est endommagée",
        missing_tableHere:
            "Ce site n’a pas de table pour cette finale, ou pour une à laquelle mène une prise ou une promotion.",
        no_range: "L’hébergeur n’envoie que des fichiers entiers",
        wrong_range: "L’hébergeur envoie d’autres octets que ceux demandés",
        no_file: "Un fichier manque chez l’hébergeur",
        refused: "L’hébergeur refuse un fichier",
        changed: "Les tables ont été remplacées entre-temps ; rechargez la page",
        misfit: "Un fichier chez l’hébergeur n’est pas celui que décrit le guide du site : il a été tronqué ou remplacé. Le responsable du site doit l’envoyer de nouveau",
        out_of_reach:
            "Le site répond, ses tables non : leur hébergeur est absent, ou ne laisse pas les pages de ce site les lire (Access-Control-Allow-Origin)",
        part_away: "Cette partie de la page n’a pas pu être chargée : le réseau est absent, ou la page a été remplacée",
        again: "Réessayer",
        reload: "Recharger la page",
        timeout: "L’hébergeur a mis trop de temps",
        damaged: "Les tables y sont endommagées",
        other: "Pas de réponse",
    },
};
