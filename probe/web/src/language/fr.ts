// French.
import type { Side } from "../api.ts";
import type { Role } from "../position.ts";
import { ROLE_NAMES } from "./roles.ts";
import { refusal } from "./refusal/fr.ts";
import type { Reason } from "./subjects.ts";
import type { Words } from "./en.ts";

const side = (side: Side): string => (side === "white" ? "Blancs" : "Noirs");
const the = (of: Side) => `les ${side(of)}`;
const The = (of: Side) => `Les ${side(of)}`;
const moves = (n: number) => `${n} coup${n < 2 ? "" : "s"}`;
const roles = ROLE_NAMES.fr;
const adjective = (of: Side, role: Role) =>
    of === "black" ? (role === "R" ? "noire" : "noir") : role === "R" ? "blanche" : "blanc";

export const fr: Words = {
    title: "Finales de makruk",
    description: "Ce que valent les finales de makruk, avec et sans le compte",
    about: (version: string) =>
        `Tables de finales de makruk ${version} · The Makruk tablebase authors · logiciel libre (MIT ou Apache-2.0)`,
    solved: (endings: number, men: number) =>
        `Tables présentes : ${endings} finales jusqu’à ${men} pièces. Chaque résultat est exact : toutes les positions ont été résolues à rebours depuis les mats.`,
    checksum: "Leur somme de contrôle (SHA-256)",
    side,
    moves,
    roles,
    ending: { K: "R", R: "T", N: "C", S: "khon", M: "met", P: "P" },
    against: " contre ",
    man: (of: Side, role: Role) => `${roles[role]} ${adjective(of, role)}`,
    number: (n: number) => n.toLocaleString("fr"),
    percent: (n: number, digits: number) => `${n.toFixed(digits).replace(".", ",")} %`,

    nav: {
        board: "Échiquier",
        materials: "Finales",
        find: "Chercher",
        train: "Entraînement",
        thumb: "Compter",
        help: "Aide",
        views: "Menu",
        look: "Langue et apparence",
    },
    welcome: {
        title: "Par où commencer",
        about: "Le jeu parfait dans les finales de makruk (échecs thaïs), avec le compte.",
        ways: {
            solve: { title: "Résoudre", text: "le problème du jour" },
            lookUp: { title: "Consulter", text: "une position de votre choix" },
            learn: { title: "Apprendre", text: "le cours, pas à pas" },
            thumb: { title: "Compter", text: "du pouce, à la table" },
        },
    },
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
    setupHint: "Glissez les pièces, ou choisissez-en une et touchez des cases.",
    setupKeys: "Au clavier : flèches, puis K R N S M P (avec Maj : Blancs), Suppr.",
    playHint: "Espace joue le meilleur coup.",
    pawnSquares: (of: Side, least: number, most: number) =>
        `Les pions ${of === "white" ? "blancs" : "noirs"} se tiennent sur les rangées ${least} à ${most} : un pion promu se place comme met.`,
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
        wins: (winner: Side) => `${The(winner)} gagnent`,
        byCount: "Nulle par le compte",
        expired: "Nulle : le compte est épuisé",
        reason: ({ winner, loser, counted, left, needs, goal }: Reason) => {
            const count =
                left === null
                    ? `Aucun compte ne court tant qu’il reste un pion. ${The(winner)}`
                    : counted
                      ? `${The(loser)} ont compté ${counted[0]} coups sur ${counted[1]} ; il en reste ${left} aux ${side(winner)}, qui`
                      : `Si ${the(loser)} commencent à compter maintenant, ${the(winner)} ont ${moves(left)} et`;
            if (goal === "mate") return `${count} ont besoin de ${moves(needs ?? 0)} pour mater.`;
            const end =
                goal === "piece"
                    ? `prendre la dernière pièce des ${side(loser)}`
                    : "promouvoir ou prendre le dernier pion";
            return needs === null
                ? `${count} ne peuvent ni mater ni ${end} à temps.`
                : `${count} ont besoin de ${moves(needs)} pour mater ou ${end} à temps.`;
        },
        without: (winner: Side, mate: number) => `Sans compte, ${the(winner)} matent en ${moves(mate)}.`,
        begun: (honour: "pieces" | "board", limit: number, winner: Side | null, left: number | null) =>
            `Le dernier pion n’est plus là et un compte commence : honneur ${honour === "pieces" ? "des pièces" : "de l’échiquier"}, ${limit}.${winner && left !== null ? ` ${The(winner)} ont ${moves(left)}.` : ""}`,
        slower: (needs, mate) =>
            `${needs} et non ${mate} : le mat le plus rapide prend la dernière pièce quand le compte qui commence alors laisse trop peu de coups.`,
        tooSoon: (san: string, needs: number, left: number) =>
            `Pas encore ${san} : le compte qui commence alors laisse ${moves(left)}, et il en faut encore ${needs} pour mater.`,
        needs: "il faut",
        leaves: "il y a",
        short: (n: number) => `il en manque ${n}`,
        spare: (n: number) => (n === 0 ? "aucun de trop" : `${n} de reste`),
        turn: (who: Side) => `Trait aux ${side(who)}`,
        line: "Dérouler la meilleure ligne",
        fromHere: "S’entraîner d’ici",
        lineEnd: { checkmate: "mat", count_expired: "le compte est épuisé : nulle", draw: "nulle", truncated: "…" },
    },

    results: {
        mode: "Résultats",
        moves: "Le résultat de chaque coup est sur sa case. Touchez une pièce : le résultat avec elle sur chaque case.",
        map: (man: string) => `${man} sur chaque case`,
        legend: "Rond : gagné par sa couleur, en tant de coups. Losange : gagné, mais nulle par le compte. = : nulle.",
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
        toMate: (n: number) => `mat en ${n}`,
        wins: (n: number) => `gagne en ${n}`,
        loses: (n: number) => `perd en ${n}`,
        takesLast: (needs: number) => `prend la dernière pièce, puis mat en ${needs}`,
        beginsPieces: (limit: number, needs: number) => `ouvre un compte de ${limit}, puis mat en ${needs}`,
        beginsBoard: (limit: number, mate: number) => `ouvre un compte de ${limit}, mat en ${mate} sans lui`,
        leaves: (left: number) => `reste ${moves(left)}`,
        leavesLong: (left: number) => `le compte laisse alors ${moves(left)}`,
        withoutCount: (n: number) => `mat en ${n} sans le compte`,
        save: "sauvetage",
        saveTitle: "Perdu sans le compte, nul avec lui",
        cursed: (left: number | null) => (left === null ? "nul par le compte" : `nul : reste ${moves(left)}`),
        cursedTitle: "Gagné sans le compte, nul avec lui",
        sacrifice: "sacrifice",
        sacrificeLong: (capture: string, attacker: Side, needed: number, left: number | null, men: number | null) =>
            left === null || men === null
                ? `Après ${capture}, il faut ${moves(needed)} aux ${side(attacker)} pour mater${left === null ? "" : `, et le compte en laisse ${left}`}.`
                : `Après ${capture}, la limite est de ${left + men} coups, moins les ${men} pièces sur l’échiquier : ${left + men} − ${men} = ${left}. Il faut ${moves(needed)} aux ${side(attacker)} pour mater.`,
    },

    count: {
        details: "Nombre, camp et règle du compte",
        what: "Qu’est-ce que le compte ?",
        term: "compt\\p{L}*",
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
        pawns: "Aucun compte ne court tant qu’il reste un pion, de l’un ou l’autre camp. Il commence quand le dernier est promu ou pris.",
        stopped: (winner: Side) =>
            `${The(winner)} comptent mais gagnent, et peuvent s’arrêter. Ce compte est laissé de côté.`,
        slider: "Coups comptés",
        most: "Limite en coups",
        typed: ["Compté", "sur", "coups"],
        who: "Qui compte",
        noLimit: (limits: number[]) =>
            limits.length === 1
                ? `Tant que les deux camps ont une pièce, la limite est ${limits[0]}.`
                : `Aucunes pièces n’ont cette limite : c’est ${limits.join(", ")}.`,
        parity: (of: Side) => `D’après PLY, pychess lit ce compte comme celui des ${side(of)}.`,
        honour: (honour: "pieces" | "board", limit: number) =>
            honour === "pieces"
                ? `Honneur des pièces, ${limit}. Le compte commence au nombre de toutes les pièces plus un, et les prises n’y changent rien. Quand ${limit} est compté, l’autre camp a un dernier coup. (Règlement de compétition de l’an 2569, p. 10–11)`
                : `Honneur de l’échiquier, ${limit} : les deux camps ont encore une pièce. Les prises ne le recommencent pas, mais la prise de la dernière pièce ouvre l’honneur des pièces. Il ne court que si un joueur le demande ; d’ici là, choisissez Ne court pas.`,
        print: "Imprimer une feuille pour l’arbitre",
        spoken: (counted, limit) => `« ${counted} ! » Le compte va jusqu’à ${limit}.`,
    },

    ruling: {
        title: "Feuille d’arbitre",
        event: "Tournoi",
        player: (of: Side) => `Joueur, ${side(of)}`,
        board: "Ronde, échiquier",
        position: "Position",
        rule: "Règle",
        ruling: "Décision",
        goesOn: "La partie continue.",
        goesOnWith: (winner: Side, left: number) => `La partie continue. Il reste ${moves(left)} aux ${side(winner)}.`,
        bestPlay: "Avec le meilleur jeu",
        reason: "Motif",
        repeated: "Répétition",
        open: "Pas de verdict",
        signed: "Date, arbitre",
        spoken: "À dire",
        dead: "Aucun camp ne peut mater, même avec l’aide de l’autre.",
        flag: (of: Side) => `Si le drapeau des ${side(of)} tombe`,
        forces: (of: Side) => `Les ${side(of)} peuvent forcer le mat avant la fin du compte.`,
        canMate: (of: Side, can: boolean | null) =>
            can === null
                ? "Les pions décident si un mat est possible."
                : `Les ${side(of)} ${can ? "peuvent mater si l’adversaire les aide" : "ne peuvent pas mater, même si l’adversaire les aide"}.`,
    },
    repeated: (times: number) =>
        times >= 3
            ? `Cette position est là pour la ${times}e fois : la partie est nulle.`
            : "Cette position a déjà été là. Une troisième fois, la partie est nulle.",

    thumb: {
        title: "Compter au pouce",
        intro: "Pour la table de l’arbitre : choisissez le compte et ses pièces, puis touchez le nombre à chaque coup du camp qui compte.",
        honours: { pieces: "Honneur des pièces", board: "Honneur de l’échiquier, 64" },
        men: "Les pièces de l’attaquant, sans le roi",
        less: (name: string) => `Un de moins : ${name}`,
        more: (name: string) => `Un de plus : ${name}`,
        rule: (first: number, limit: number) => `On annonce d’abord ${first} ; le compte va jusqu’à ${limit}.`,
        full: (men: number, limit: number) =>
            `Il y a ${men} pièces et le compte va jusqu’à ${limit} : la prise a annulé la partie, sauf si elle mate.`,
        begin: "Commencer",
        tap: "Compter un coup",
        next: (number: number, limit: number) => `Ensuite : ${number}. Le compte va jusqu’à ${limit}.`,
        called: (number: number, limit: number) => `${number} comptés sur ${limit}`,
        last: (number: number) => `${number} comptés : l’attaquant a un dernier coup`,
        over: "Le compte est épuisé : nulle",
        overThai: "นับครบแล้ว เสมอ",
        undo: "Annuler",
        again: "Nouveau compte",
        from: "Annonces",
    },

    fen: {
        label: "Position (FEN)",
        copy: "Copier la FEN",
        copyPgn: "Copier le PGN",
        copyMoves: "Copier les coups",
        copyLink: "Copier le lien",
        share: "Partager une image",
        animation: "Partager la ligne en GIF",
        copied: "Copié",
        notCopied: "Le navigateur ne laisse pas copier.",
        paste: "Coller une partie ou une position…",
    },
    paste: {
        title: "Coller une partie ou une position",
        hint: "Des parties (PGN) ou une position (FEN), de PlayOK ou de tout autre programme.",
        open: "Ouvrir",
        cancel: "Annuler",
        file: "Choisir un fichier…",
        choose: "Quelle partie ?",
        example: "Une partie avec des fautes",
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
        among: (n: number, of: number) => `Dans les ${n} positions sur ${of} qui ont des tables : `,
        faultless: (who: Side) => `${The(who)} n’ont rien laissé échapper.`,
        gave: (who: Side, wins: number, draws: number, lost: number) =>
            `${The(who)} ont laissé échapper ${[
                wins && `${wins} gain${wins < 2 ? "" : "s"}`,
                draws && `${draws} nulle${draws < 2 ? "" : "s"}`,
                lost && `${moves(lost)} de temps`,
            ]
                .filter(Boolean)
                .join(", ")}.`,
        practise: "S’entraîner sur une erreur",
        next: "Erreur suivante",
        previous: "Erreur précédente",
    },

    ...refusal,
    health: {
        away: "Le serveur ne répond pas. La page reprend d’elle-même quand il revient.",
        back: "Le serveur est revenu.",
        siteAway: "L’hébergeur de ce site ne répond pas. La page reprend d’elle-même quand il revient.",
        siteBack: "Le site répond de nouveau.",
        offline: "Cet appareil est hors ligne. La page reprend d’elle-même quand le réseau revient.",
        locked: "Ce serveur demande un jeton.",
        token: "Jeton",
        unlock: "Entrer",
    },
    copyCommand: "Copier la commande",

    help: {
        title: "Comment ça marche",
        close: "Fermer",
        body: [
            "Les finales de makruk se décident par un compte : le camp qui perd compte ses coups, et quand le compte est plein, la partie est nulle.",
            "Il y a deux comptes : l’honneur de l’échiquier (sak kradan) va jusqu’à 64 tant que les deux camps ont une pièce. L’honneur des pièces (sak mak) commence à la prise de la dernière pièce d’un camp, au nombre de toutes les pièces plus un. Sa limite dépend du camp le plus fort : deux tours 8, une tour 16, deux khons 22, deux cavaliers 32, un khon 44, tout le reste 64. La limite comptée, un dernier coup peut encore mater.",
            "Tant qu’il reste un pion de l’un ou l’autre camp, rien n’est compté. Quand le dernier est promu ou pris, le compte commence : l’honneur des pièces si un roi est nu, sinon celui de l’échiquier. Qui attaque doit donc choisir quand laisser partir le dernier pion.",
            "La page dit ce que vaut chaque position sans le compte et avec lui. Une nulle par le compte serait gagnée sans lui : avec deux tours contre une, donner la tour sauve souvent la partie.",
        ],
        offline:
            "La page s’ouvre aussi sans réseau, avec ce qu’elle a déjà montré. Une première visite prend moins de 1 Mo.",
        programs: "Pour les programmes : l’API de ce serveur",
        men: "Les pièces",
        menBody: [
            ["K", "Roi : une case dans toutes les directions."],
            ["R", "Tour : autant de cases que l’on veut en ligne droite."],
            ["N", "Cavalier : comme aux échecs."],
            ["S", "Khon : une case en diagonale, ou une case tout droit en avant."],
            ["M", "Met : une case en diagonale. Le pion devient un met sur sa sixième rangée."],
            ["P", "Pion : une case en avant, prend en diagonale. Il se tient de sa troisième à sa cinquième rangée."],
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

export const words: Words = fr;
