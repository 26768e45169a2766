// Refusals in French: what cannot be read, played or answered, and why.
import type { Problem, Side } from "../../api.ts";
import type { Fault } from "../../verdict.ts";
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
    problem: (problem: Problem): string => {
        switch (problem.problem) {
            case "missing_king":
                return `${The(problem.side)} n’ont pas de roi.`;
            case "opposite_check":
                return `${The(problem.side)} sont en échec, mais ce n’est pas à eux de jouer.`;
            case "touching_kings":
                return "Les rois se touchent.";
            case "pawn_beyond_promotion":
                return `Le pion en ${problem.square} serait devenu un met.`;
            case "pawn_behind_start":
                return `Aucun pion ne peut être en ${problem.square} : les pions partent de leur troisième rangée et ne reculent jamais.`;
            case "too_many_mets_and_pawns":
                return `${The(problem.side)} ont ${problem.found} mets et pions ensemble : ${problem.most} au plus.`;
            case "too_many":
                return `${The(problem.side)} ont ${problem.found} ${roleNames[problem.role] ?? problem.role} : ${problem.most} au plus.`;
        }
    },
    fault: (fault: Fault): string => {
        switch (fault.field) {
            case "empty":
                return "Il n’y a pas de position.";
            case "ranks":
                return `L’échiquier a ${fault.found} rangée${fault.found < 2 ? "" : "s"} : il en faut 8, séparées par des /.`;
            case "rank":
                return `La rangée ${fault.rank}, « ${fault.found} », a ${fault.squares} cases : il en faut 8.`;
            case "letter":
                return `La rangée ${fault.rank} contient « ${fault.found} » : les pièces sont K R N S M P (ou B E pour S, Q F pour M), les cases vides 1 à 8.`;
            case "side":
                return fault.found ? `Le trait est « ${fault.found} » : il faut w ou b.` : "Le trait manque : w ou b.";
            case "third":
                return `Le troisième champ est « ${fault.found} » : il faut -.`;
            case "fullmove":
                return `Le numéro du coup est « ${fault.found} » : il faut 1 ou plus.`;
            case "limit":
                return `La LIMIT du compte est « ${fault.found} » : il faut - ou 1 à 9999.`;
            case "ply":
                return `Le PLY du compte est « ${fault.found} » : il faut 0 à 9999.`;
        }
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
        part_replaced: "La page a été remplacée par une plus récente ; rechargez-la",
        again: "Réessayer",
        reload: "Recharger la page",
        timeout: "L’hébergeur a mis trop de temps",
        damaged: "Les tables y sont endommagées",
        other: "Pas de réponse",
    },
};
