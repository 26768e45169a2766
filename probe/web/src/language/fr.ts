// French.
import type { Problem, Side } from "../api.ts";
import type { Fault } from "../fen.ts";
import type { Role } from "../position.ts";
import { search } from "./search/fr.ts";
import { trainer } from "./trainer/fr.ts";
import type { Words } from "./en.ts";

const side = (side: Side): string => (side === "white" ? "Blancs" : "Noirs");
const the = (of: Side) => `les ${side(of)}`;
const The = (of: Side) => `Les ${side(of)}`;
const moves = (n: number) => `${n} coup${n < 2 ? "" : "s"}`;
const roles: Record<Role, string> = { K: "roi", R: "tour", N: "cavalier", S: "khon", M: "met", P: "pion" };
const roleNames: Record<string, string> = {
    king: "rois",
    rook: "tours",
    knight: "cavaliers",
    khon: "khons",
    met: "mets",
    pawn: "pions",
};
const adjective = (of: Side, role: Role) =>
    of === "black" ? (role === "R" ? "noire" : "noir") : role === "R" ? "blanche" : "blanc";

export const fr: Words = {
    name: "Français",
    title: "Finales de makruk",
    description: "Ce que valent les finales de makruk, avec et sans le compte",
    side,
    moves,
    roles,
    man: (of: Side, role: Role) => `${roles[role]} ${adjective(of, role)}`,
    number: (n: number) => n.toLocaleString("fr"),
    percent: (n: number, digits: number) => `${n.toFixed(digits).replace(".", ",")} %`,
    bytes: (n: number, digits: number, unit: number) =>
        `${n.toFixed(digits).replace(".", ",")} ${["o", "ko", "Mo", "Go"][unit]}`,

    nav: { board: "Échiquier", sets: "Finales", find: "Chercher", train: "Entraînement", help: "Aide" },
    view: {
        language: "Langue",
        dark: "Sombre",
        letters: "Lettres sur les pièces",
        traditional: "Pièces traditionnelles",
        notation: "Notation thaïe",
        flip: "Tourner l’échiquier",
        mirror: "Miroir gauche-droite",
        swap: "Échanger les couleurs",
        setup: "Placer",
        done: "Terminé",
        play: "Jouer",
        mode: "Ce que fait l’échiquier",
        clear: "Vider l’échiquier",
        kings: "Rois seuls",
        start: "Au début",
        back: "Reculer",
        forward: "Avancer",
        end: "À la fin",
        board: "Échiquier",
        tools: "Outils de l’échiquier",
        best: "Jouer le meilleur coup",
        removeStep: "Retirer ce coup",
        promote: "En faire la ligne principale",
        hand: "Déplacer les pièces",
        remove: "Retirer des pièces",
        palette: "Pièces à placer",
        line: "Coups joués",
        tomove: "Au trait",
    },
    setupHint:
        "Glissez les pièces, ou choisissez-en une et touchez des cases. Au clavier : flèches, puis K R N S M P (avec Maj : Blancs), Suppr.",
    playHint: "Espace joue le meilleur coup.",
    notMovable: (toMove: Side) =>
        `C’est aux ${side(toMove)} de jouer. Pour poser les pièces librement, choisissez Placer.`,

    square: (name: string, man: string | null, target: boolean) =>
        `${name}${man ? `, ${man}` : ""}${target ? ", accessible" : ""}`,

    verdict: {
        waiting: "Recherche…",
        mated: (loser: Side, winner: Side) => ({
            head: `Mat : ${the(winner)} ont gagné`,
            body: `${The(loser)} sont mat.`,
        }),
        matedLate: (loser: Side, winner: Side) => ({
            head: "Nulle : le compte était épuisé",
            body: `${The(loser)} sont mat, mais trop tard : le compte était épuisé avant le dernier coup des ${side(winner)}.`,
        }),
        stalemate: (who: Side) => ({
            head: "Nulle : pat",
            body: `${The(who)} n’ont aucun coup légal et ne sont pas en échec.`,
        }),
        draw: () => ({ head: "Nulle", body: "Aucun camp ne peut forcer le mat, avec ou sans compte." }),
        winsBare: (winner: Side, needs: number, left: number) => ({
            head: `${The(winner)} gagnent`,
            body: `${The(winner)} matent en ${moves(needs)}, et le compte en laisse ${left}.`,
        }),
        winsArmed: (winner: Side, loser: Side, needs: number, left: number, mate: number) => ({
            head: `${The(winner)} gagnent`,
            body: `Décidé en ${moves(needs)}, par le mat ou en prenant à temps la dernière pièce des ${side(loser)} ; le compte en laisse ${left}. Sans le compte : mat en ${mate}.`,
        }),
        expired: (winner: Side, mate: number) => ({
            head: "Nulle : le compte est épuisé",
            body: `Sans le compte, ${the(winner)} materaient en ${moves(mate)}.`,
        }),
        countBare: (winner: Side, needs: number, left: number) => ({
            head: "Nulle par le compte",
            body: `Il faut ${moves(needs)} aux ${side(winner)} pour mater, mais le compte en laisse ${left}. Sans le compte : ${the(winner)} gagnent.`,
        }),
        countArmed: (winner: Side, loser: Side, needs: number, left: number, mate: number) => ({
            head: "Nulle par le compte",
            body: `Il faut ${moves(needs)} aux ${side(winner)} pour mater ou prendre à temps la dernière pièce des ${side(loser)}, mais le compte en laisse ${left}. Sans le compte : mat en ${mate}.`,
        }),
        countNever: (winner: Side, loser: Side, mate: number) => ({
            head: "Nulle par le compte",
            body: `Sans le compte, ${the(winner)} matent en ${moves(mate)}. Avec lui, ils ne peuvent forcer ni le mat, ni une prise de la dernière pièce des ${side(loser)} qui laisse assez de coups pour mater.`,
        }),
        needs: "il faut",
        leaves: "le compte laisse",
        short: (n: number) => `il en manque ${n}`,
        spare: (n: number) => (n === 0 ? "aucun de trop" : `${n} de reste`),
        line: "Dérouler la meilleure ligne",
        lineEnd: { checkmate: "mat", count_expired: "le compte est épuisé : nulle", draw: "nulle", truncated: "…" },
    },

    gaveAway: {
        win: (san: string, best: string) => `${san} a laissé échapper le gain : ${best} gagne.`,
        draw: (san: string, best: string) => `${san} a laissé échapper la nulle : ${best} tient.`,
        time: (san: string, best: string, n: number) => `${san} a coûté ${moves(n)} : ${best} est le meilleur.`,
    },

    group: {
        title: (who: Side) => `Coups des ${side(who)}`,
        win: "Gagnent",
        drawn: "Annulent",
        loss: "Perdent",
        unjudged: "Coups légaux",
        none: "Aucun coup légal.",
    },
    move: {
        mate: "mat",
        mateLate: "mat, mais trop tard",
        draw: "nulle",
        toMate: (n: number) => `encore ${n} pour mater`,
        toDecide: (n: number) => `encore ${n} pour décider`,
        takesLast: (needs: number) => `prend la dernière pièce, encore ${needs} pour mater`,
        leaves: (left: number) => `reste ${left}`,
        leavesLong: (left: number) => `le compte laisse alors ${moves(left)}`,
        withoutCount: (n: number) => `mat en ${n} sans le compte`,
        save: "sauvetage",
        saveTitle: "Perdu sans le compte, nul avec lui",
        cursed: "le compte annule",
        cursedTitle: "Gagné sans le compte, nul avec lui",
        sacrifice: "sacrifice",
        sacrificeLong: (capture: string, attacker: Side, needed: number, left: number | null) =>
            `Après ${capture}, il faut ${moves(needed)} aux ${side(attacker)} pour mater${left === null ? "" : `, et le compte en laisse ${left}`}.`,
    },

    count: {
        title: "Le compte",
        none: "Ne court pas",
        runs: "Court",
        counted: (who: Side | null, counted: number, limit: number) =>
            `${who ? `${The(who)} ont` : "Le défenseur a"} compté ${counted} sur ${limit}`,
        spent: (limit: number) => `Les ${limit} sont comptés : le compte est épuisé`,
        leaves: (winner: Side, left: number) => `Il reste ${moves(left)} aux ${side(winner)}`,
        wouldLeave: (winner: Side, loser: Side, left: number) =>
            `Si ${the(loser)} commencent à compter, ${the(winner)} ont ${moves(left)}.`,
        says: "Personne ne peut gagner : le compte ne dit rien.",
        pawns: "Aucun compte ne court tant qu’il reste des pions.",
        stopped: (winner: Side) =>
            `${The(winner)} comptent mais gagnent, et peuvent s’arrêter. Ce compte est laissé de côté.`,
        fields: "Dans la FEN, en demi-coups",
        slider: "Coups comptés",
        most: "Limite en coups",
        typed: ["Compté", "sur", "coups"],
        who: "Qui compte",
        derive: (moves: number) => `Prendre la limite d’après les pièces : ${moves}`,
        honour: (honour: "pieces" | "board", limit: number) =>
            honour === "pieces"
                ? `Honneur des pièces, ${limit}. Le compte commence au nombre de toutes les pièces plus un, et les prises n’y changent rien. Quand ${limit} est compté, l’autre camp a un dernier coup. (Règlement de compétition de l’an 2569, p. 10–11)`
                : `Honneur de l’échiquier, ${limit} : les deux camps ont encore une pièce. Les prises ne le recommencent pas, mais la prise de la dernière pièce ouvre l’honneur des pièces.`,
        print: "Imprimer une feuille pour l’arbitre",
    },

    ruling: {
        title: "Décision",
        position: "Position",
        rule: "Règle",
        ruling: "Verdict",
        reason: "Motif",
        repeated: "Répétition",
        open: "Pas de verdict",
        signed: "Date, arbitre",
        spoken: "À dire",
    },
    repeated: (times: number) =>
        times >= 3
            ? `Cette position est là pour la ${times}e fois : la partie est nulle.`
            : "Cette position a déjà été là. Une troisième fois, la partie est nulle.",

    fen: {
        label: "Position (FEN)",
        copy: "Copier la FEN",
        copyPgn: "Copier le PGN",
        copyMoves: "Copier les coups",
        copyLink: "Copier le lien",
        embed: "Copier le code à intégrer",
        picture: "Enregistrer une image",
        share: "Partager une image",
        copied: "Copié",
        notCopied: "Le navigateur ne laisse pas copier.",
        paste: "Coller une partie ou une position…",
    },
    paste: {
        title: "Coller une partie ou une position",
        hint: "Un PGN d’une ou plusieurs parties, ou une FEN. Les lettres de tous les programmes sont lues.",
        open: "Ouvrir",
        cancel: "Annuler",
        file: "Choisir un fichier…",
        choose: "Quelle partie ?",
        empty: "Ce texte ne contient aucune partie.",
    },
    game: {
        title: "Partie",
        close: "Fermer la partie",
        strip: "Verdicts de la partie, coup par coup",
        at: (ply: number, of: number, what: string) => `Demi-coup ${ply} sur ${of} : ${what}`,
        uncovered: "pas dans les tables",
        drawByCount: "nulle par le compte",
        draw: "nulle",
        wins: (who: Side) => `${the(who)} gagnent`,
        covered: (n: number, of: number) => `${n} positions sur ${of} sont dans les tables.`,
        missing: (n: number, command: string) => `Pour ${n} autres il manque une table : ${command}`,
        faultless: (who: Side) => `${The(who)} n’ont rien laissé échapper.`,
        gave: (who: Side, wins: number, draws: number, lost: number) =>
            `${The(who)} ont laissé échapper ${[
                wins && `${wins} gain${wins < 2 ? "" : "s"}`,
                draws && `${draws} nulle${draws < 2 ? "" : "s"}`,
                lost && `${moves(lost)} de temps`,
            ]
                .filter(Boolean)
                .join(", ")}.`,
        next: "Erreur suivante",
        previous: "Erreur précédente",
        list: (n: number) => (n < 2 ? "L’erreur" : `Les ${n} erreurs`),
        results: "Résultats perdus",
        time: "Temps perdu",
    },

    examples: {
        title: "Exemples",
        game: "Une partie entière, mat au coup 113",
        findDraw: "Trouvez la nulle",
        findWin: "Trouvez le gain",
        about: {
            rook: "Deux tours contre une",
            khon: "Un khon à prendre ?",
            bait: "Il ne reste qu’un khon",
            clock: "La tour contre la montre",
            step: "Une seule case tient",
            long: "Cavalier et met, coup par coup",
        },
    },
    quiz: {
        draw: (who: Side) => `Trait aux ${side(who)} : trouvez la nulle.`,
        win: (who: Side) => `Trait aux ${side(who)} : trouvez le gain.`,
        show: "Montrer les coups",
        hint: "Jouez votre coup sur l’échiquier.",
        wrong: (san: string, kind: "draw" | "win") =>
            kind === "draw" ? `${san} n’annule pas.` : `${san} ne gagne pas.`,
        right: (san: string) => `Oui, ${san} !`,
        next: "Position suivante",
        again: "Réessayer",
    },

    sets: {
        keep: {
            button: "Garder sur cet appareil toutes les tables jusqu’à quatre pièces (30 Mo)",
            underWay: (share: string) => `Les tables sont gardées : ${share}`,
            kept: "Toutes les tables jusqu’à quatre pièces sont sur cet appareil. Leurs positions se passent du réseau.",
        },
        title: "Finales",
        intro: "Toutes les finales que les tables connaissent. Les gains sont ceux des deux camps, quel que soit le trait.",
        filter: "Chercher : KRRvKR, RR, tour et khon",
        men: (n: number) => `${n} pièces`,
        all: "Toutes",
        name: "Finale",
        wins: "Gains et nulles",
        mate: "Mat le plus long",
        event: "Le plus long sous le compte",
        lost: "Gains perdus au compte",
        size: "Taille",
        none: "Aucune finale ne correspond.",
        missing: "manque",
        build: "Cette table n’est pas là. Pour la construire :",
        buildAll: (n: number) => `${n} finales ne sont pas là. Elles montrent la commande qui les construit.`,
        noTables: "Ce serveur n’a pas encore de tables. Pour construire toutes celles de quatre pièces au plus :",
        back: "Toutes les finales",
        totals: "Totaux",
        tomove: (who: Side) => `Trait aux ${side(who)}`,
        won: (who: Side) => `${The(who)} gagnent`,
        drawn: "Nulle",
        lostToCount: (share: string) => `${share} des gains sont perdus au compte qui commence maintenant.`,
        noneLost: "Aucun gain n’est perdu à un compte qui commence maintenant.",
        histogram: "La durée des gains",
        histogramOf: (winner: Side, toMove: Side) => `${The(winner)} gagnent, trait aux ${side(toMove)}`,
        histogramAxis: "coups",
        byMate: "jusqu’au mat",
        byEvent: "jusqu’au mat, ou à une prise qui gagne à temps",
        limit: (n: number) => `le compte laisse ${n}`,
        beyond: "trop long pour le compte",
        within: "à temps",
        bar: (n: number, positions: string) => `${moves(n)} : ${positions} positions`,
        never: (positions: string) =>
            `Dans ${positions} autres le mat est forcé, mais rien n’arrive à temps pour le compte.`,
        longest: "Les gains les plus longs",
        longestNone: "Les positions de ce camp se déduisent de ses coups ; aucune n’est listée.",
        compare: "Comparer avec",
        compareTitle: (a: string, b: string) => `${a} et ${b}`,
        figures: "Chiffres",
        wonOf: (who: Side) => `Positions gagnées par les ${side(who)}`,
        drawnOf: "Positions nulles",
        lostShare: "Gains perdus par le compte",
        pending: "Recherche en cours…",
        progress: (share: string) => `${share} de la table parcourus.`,
        searching: (most: number) =>
            `Les plus longs prennent ${moves(most)}. Leur recherche dans toute la table dure une minute ou deux pour les grandes finales.`,
        saves: "Des sauvetages à trouver",
        savesHint: "Perdu sans le compte. Trouvez le coup qui annule.",
        savesCount: (n: string) => `Cette finale en a ${n}.`,
        savesNone: "Aucun sauvetage de ce genre ne s’est présenté.",
        saveOf: (drawing: number, legal: number) =>
            `${drawing} coup${drawing < 2 ? " annule" : "s annulent"} sur ${legal}`,
    },

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
        illegal: "Cette position est impossible",
        bad_fen: "Ce n’est pas une FEN",
        bad_count: "Le compte n’est pas un tel nombre",
        bad_pgn: "La partie n’est pas lisible",
        bad_filter: "Le filtre n’est pas lisible",
        too_large: "C’est trop long pour le serveur",
        deadline_exceeded: "La réponse a pris trop de temps",
        has_pawns: "Pas de verdict tant qu’il y a des pions",
        has_pawnsBody: "Les tables commencent quand le dernier pion est promu ou pris. Vous pouvez continuer à jouer.",
        too_many_men: "Trop de pièces pour les tables",
        too_many_menBody: "Les tables connaissent les finales de quelques pièces. Vous pouvez continuer à jouer.",
        missing_table: "La table manque",
        missing_tableBody:
            "Ce serveur n’a pas de table pour cette finale, ou pour une à laquelle mène une prise. Pour la construire :",
        corrupt_table: "La table est endommagée",
        missing_tableHere: "Ce site n’a pas de table pour cette finale, ou pour une à laquelle mène une prise.",
        no_range: "L’hébergeur n’envoie que des fichiers entiers",
        wrong_range: "L’hébergeur envoie d’autres octets que ceux demandés",
        no_file: "Un fichier manque chez l’hébergeur",
        refused: "L’hébergeur refuse un fichier",
        changed: "Les tables ont été remplacées entre-temps ; rechargez la page",
        damaged: "Les tables y sont endommagées",
        other: "Pas de réponse",
    },
    search,
    trainer,
    health: {
        away: "Le serveur ne répond pas. La page reprend d’elle-même quand il revient.",
        back: "Le serveur est revenu.",
        locked: "Ce serveur demande un jeton.",
        token: "Jeton",
        unlock: "Entrer",
    },
    copyCommand: "Copier la commande",

    help: {
        title: "Comment ça marche",
        close: "Fermer",
        body: [
            "Les finales de makruk se décident par un compte. Quand un roi est nu, l’autre camp a un nombre fixe de coups pour mater, d’autant plus petit qu’il est fort : deux tours en ont 8, moins toutes les pièces de l’échiquier. Si le compte s’épuise, la partie est nulle. Tant que les deux camps ont une pièce, le plus faible peut compter jusqu’à 64.",
            "Il y a deux comptes : l’honneur de l’échiquier (sak kradan) va jusqu’à 64 tant que les deux camps ont une pièce. L’honneur des pièces (sak mak) commence à la prise de la dernière pièce d’un camp, au nombre de toutes les pièces plus un. Sa limite dépend du camp le plus fort : deux tours 8, une tour 16, deux khons 22, deux cavaliers 32, un khon 44, tout le reste 64. La limite comptée, un dernier coup peut encore mater.",
            "La page dit ce que vaut chaque position sans le compte et avec lui. Une nulle par le compte serait gagnée sans lui : avec deux tours contre une, donner la tour sauve souvent la partie.",
        ],
        men: "Les pièces",
        menBody: [
            ["K", "Roi : une case dans toutes les directions."],
            ["R", "Tour : autant de cases que l’on veut en ligne droite."],
            ["N", "Cavalier : comme aux échecs."],
            ["S", "Khon : une case en diagonale, ou une case tout droit en avant."],
            ["M", "Met : une case en diagonale. Le pion devient un met sur sa sixième rangée."],
            ["P", "Pion : une case en avant, prend en diagonale."],
        ],
        keys: "Touches",
        keysBody: [
            ["Espace", "jouer le meilleur coup"],
            ["← →", "reculer, avancer d’un coup"],
            ["Début Fin", "au début, à la fin"],
            ["F", "tourner l’échiquier"],
            ["E", "placer, puis jouer à nouveau"],
            ["L", "lettres ou figures"],
            ["?", "cette aide"],
        ],
    },
};
