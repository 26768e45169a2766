// The trainer in French.
import type { Side } from "../../api.ts";
import type { TrainerWords } from "./en.ts";

const the = (side: Side) => (side === "white" ? "les Blancs" : "les Noirs");
const plural = (n: number) => (n < 2 ? "" : "s");

export const trainer: TrainerWords = {
    title: "Entraînement",
    intro: "Vous jouez, la page répond avec ce que savent les tables. La valeur des coups reste cachée jusqu’à ce que vous la demandiez.",
    course: "Le cours",
    lessons: {
        rook: {
            title: "Roi et tour",
            text: `La tour enferme le roi nu, votre roi vient l’aider, et le mat tombe au bord. Le compte d’une tour va jusqu’à 16 et commence au nombre de pièces : il reste ici {left} coups, et {needs} suffisent.`,
        },
        rooks: {
            title: "Deux tours pressées",
            text: `Deux tours sont si fortes que leur compte ne va que jusqu’à 8, moins toutes les pièces de l’échiquier. Il reste {left} coups et il en faut {needs} : aucun ne peut être perdu.`,
        },
        khons: {
            title: "Deux khons",
            text: `Deux khons côte à côte font un mur que le roi ne passe pas. Avancez-le avec votre roi : un khon ne recule qu’en diagonale. Il reste {left} coups, il en faut {needs}.`,
        },
        khonMet: {
            title: "Khon et met",
            text: `Les deux sont lents, et un met ne voit jamais qu’une couleur de cases. Patience : il reste {left} coups et il en faut {needs}. Veillez d’abord sur vos pièces, aucune ne doit tomber.`,
        },
        knightKhon: {
            title: "Cavalier et khon",
            text: `Le roi est déjà au bord. Cavalier et khon lui prennent les cases voisines pendant que votre roi l’y tient. {needs} coups suffisent, et le compte en laisse {left}.`,
        },
        knightMet: {
            title: "Cavalier et met",
            text: `Le long chemin du makruk : de certaines places il faut 36 coups. Ici {needs} suffisent, et le compte en laisse {left}. Gare au pat : c’est nulle.`,
        },
        take: {
            title: "Prendre à temps",
            text: `Les deux camps ont encore une pièce. Prendre la dernière ouvre un nouveau compte ; demandez-vous avant : reste-t-il assez de coups pour mater ? Avec la tour contre un roi nu il en reste 13. Ici cela suffit, mais prenez au bon moment et ne perdez rien ensuite.`,
        },
        poison: {
            title: "Un khon à ne pas prendre",
            text: `Le khon est là, à prendre. Mais le compte qui commence alors laisse 13 coups, et il en faudrait 15 pour mater : nulle. Ne prenez pas ; {needs} coups bien joués gagnent à un meilleur moment.`,
        },
        offer: {
            title: "Donner la tour pour sauver la partie",
            text: `Deux tours contre la vôtre : sans le compte vous êtes perdu. Donnez la tour de façon que la prise laisse trop peu de coups pour mater. Un seul coup le fait ; ensuite fuyez, et laissez travailler le compte.`,
        },
        bait: {
            title: "L’appât",
            text: `Une tour poursuit votre khon et votre roi. Offrez le khon : s’il est pris, il reste 13 coups et il en faut davantage. S’il n’est pas pris, vous le gardez. Un seul coup tient.`,
        },
        promote: {
            title: "Promouvoir ou attendre",
            text: `Aucun compte ne court tant qu’il reste un pion. Promouvoir aussitôt est le chemin le plus court vers le mat, mais le compte qui commence alors laisse 12 coups, et il en faut 13 : nulle. Gardez le pion et approchez d’abord vos pièces. {needs} coups bien joués promeuvent à temps.`,
        },
        hold: {
            title: "Le pion qui retient le compte",
            text: `Le pion donne échec, et votre roi pourrait le prendre. C’est la dernière pièce des Noirs : le compte qui commence alors laisse 13 coups, et il en faut 14 pour mater. Tant que le pion vit, rien n’est compté ; laissez-le vivre et approchez. {needs} coups bien joués le prennent à temps.`,
        },
        giveaway: {
            title: "Un pion donné pour ouvrir le compte",
            text: `Une tour poursuit votre dernier pion, et tant qu’il vit aucun compte ne vous protège. Promouvez-le avec échec et laissez-le prendre : le compte commence alors et laisse 13 coups, et il en faut 14. Un seul coup tient.`,
        },
        edge: {
            title: "Le mat au bord",
            text: `Le roi est au bord. Placez votre roi en face du sien, puis la tour donne échec le long du bord ; s’il le faut, attendez avec la tour. {needs} coups suffisent sur {left}.`,
        },
        cage: {
            title: "La cage",
            text: `De loin, une tour a besoin de tous les coups : {needs} sur {left}. Coupez l’échiquier avec la tour, amenez aussitôt votre roi, et rétrécissez la cage. Un échec qui ne chasse le roi nulle part coûte la partie.`,
        },
        rooksNet: {
            title: "Plus d’air pour le roi",
            text: `Le roi dans le coin n’a plus de coup : après un coup tranquille, c’est pat, donc nulle. Un seul coup continue avec échec. Il faut {needs} coups, et le compte en laisse {left}.`,
        },
        khonsStep: {
            title: "Des khons qui se gardent",
            text: `Votre khon est attaqué. Un khon garde la case devant lui et les quatre diagonales : un pas garde les deux, et le roi dans son coin. {needs} coups sur {left} font le reste.`,
        },
        khonMetCorner: {
            title: "Khon et met : le coin",
            text: `Le met garde les cases d’une seule couleur ; le khon et votre roi doivent prendre les autres. Gardez d’abord le met : un seul coup le fait. Ensuite le coin est proche : {needs} coups sur {left}.`,
        },
        knightKhonOpen: {
            title: "Cavalier et khon au large",
            text: `Votre roi est dans le mauvais coin. Amenez-le d’abord au centre, gardez cavalier et khon côte à côte, et poussez ensemble le roi au bord. Il y a le temps : il faut {needs} coups, il en reste {left}.`,
        },
        knightMetCorner: {
            title: "Cavalier et met : fermez la porte",
            text: `Le roi est au bord et veut en sortir. Un seul coup de votre roi ferme la porte. Puis cavalier et met prennent les cases voisines : {needs} coups sur {left}. Gare au pat.`,
        },
        chase: {
            title: "Pas encore",
            text: `Deux de vos pièces peuvent prendre le met aussitôt. Mais le compte qui commence alors laisse trop peu de coups. Attendez : en {needs} coups vous le prenez à temps.`,
        },
        offerCheck: {
            title: "La tour donnée avec échec",
            text: `Encore deux tours contre la vôtre. Cette fois la tour se donne avec échec : il faut la prendre. Le compte qui commence laisse trop peu de coups. Un coup sur dix-huit tient.`,
        },
        rookStep: {
            title: "Le pas qui sauve",
            text: `Vous êtes en échec, et votre tour tombe. La prise ouvre un compte qui laisse 13 coups. La case de votre roi décide s’il en faut davantage pour mater. Un pas sur six tient.`,
        },
        metBait: {
            title: "Le met donné avec échec",
            text: `Un met seul n’arrête pas une tour, mais le compte le peut : offrez le met avec échec. S’il est pris, il reste trop peu de coups ; sinon vous le gardez. Un seul coup tient.`,
        },
        khonsPawn: {
            title: "Deux khons contre un pion",
            text: `Vieille dispute : deux khons gagnent-ils ici ? Les deux prises du pion ouvrent un compte qui laisse 18 coups, et il en faut 23 ou 25 pour mater : nulle. Quatre coups gagnent. Gardez vos pièces et amenez le roi ; en {needs} coups bien joués, le pion est pris à temps.`,
        },
        rooksPawn: {
            title: "Deux tours contre un pion",
            text: `Autre vieille dispute. Prendre le pion est le seul coup qui ne gagne pas : il reste alors 4 coups aux deux tours, et il en faut 5 pour mater. Les 24 autres coups gagnent. Approchez d’abord ; en {needs} coups bien joués, le pion est pris à temps.`,
        },
    },
    again: "à répéter",
    known: (level: number) => `${"●".repeat(level)}${"○".repeat(5 - level)}`,
    due: (n: number) => (n === 0 ? "À répéter" : `À répéter : ${n}`),
    goOn: "Continuer",
    groups: { bare: "Le roi nu", sacrifice: "Prendre et donner", pawn: "Le dernier pion" },
    repeat: "Répéter la suivante",
    comesBack: "Ce qui a échoué revient aussitôt, ce qui a réussi après 1, 3, 7, 21 et 60 jours.",
    guess: {
        title: "Devinez d’abord",
        intro: "Gagné, nul, ou nul par le compte ? Devinez avant que les tables le disent. Les étoiles disent combien le compte est serré.",
        won: "Gagné",
        right: "Juste.",
        wrong: (guessed) => `Ce n’est pas «\u00a0${guessed}\u00a0».`,
        score: (run, best, wrong, of) =>
            `${run} de suite, au mieux ${best}. ${wrong} erreur${plural(wrong)} sur ${of}, sur cet appareil.`,
    },
    puzzles: "Problèmes",
    puzzlesIntro:
        "Un seul coup est juste, à chaque coup de la solution : les tables le prouvent. Choisissez un thème et une difficulté.",
    daily: "Problème du jour",
    earlier: "Les jours passés",
    themes: {
        win: "Gagner avant la fin du compte",
        save: "Sauver la nulle grâce au compte",
        give: "Donner une pièce pour annuler",
        promote: "Promouvoir maintenant",
        wait: "Ne pas promouvoir encore",
        refuse: "Ne pas prendre",
    },
    theme: "Thème",
    anyTheme: "Tous",
    difficulty: "Difficulté",
    difficulties: { any: "Toutes", easy: "Facile", medium: "Moyenne", hard: "Difficile" },
    solved: (n, of) => `${n} résolu${plural(n)} sur ${of}`,
    doneToday: "Résolu aujourd’hui",
    streak: (days, best) => `${days} jour${plural(days)} de suite${best > days ? `, au mieux ${best}` : ""}.`,
    send: "Envoyer à un ami",
    mistakes: "Mes erreurs",
    mistakesIntro: "Dans une partie collée, touchez une erreur : elle est gardée ici.",
    mistakesRead: (n: number, of: number) => `${n} erreur${plural(n)} lue${plural(n)} sur ${of}.`,
    practice: "Exercice libre",
    task: "But",
    goals: { win: "Gagner à temps", save: "Se sauver" },
    side: "Vous jouez",
    spare: "Coups de reste",
    natural: "comme le compte commence",
    begin: "Commencer",
    another: "Une autre",
    searching: "Recherche d’une position…",
    nothingFits: "Aucune position de ce genre. Essayez une autre finale, ou plus de coups de reste.",
    remembered: (n: number) => `${n} position${plural(n)} gardée${plural(n)} sur cet appareil.`,
    goal: (goal, who) =>
        goal === "win"
            ? `Vous avez ${the(who)} : matez avant la fin du compte.`
            : `Vous avez ${the(who)} : sauvez la nulle.`,
    yourMove: (who) => `${who === "white" ? "Les Blancs" : "Les Noirs"} jouent : à vous.`,
    replied: (san) => `La réponse est ${san}. À vous.`,
    thinking: "La page répond…",
    slip: (san, goal) =>
        goal === "win" ? `${san} laisse échapper le gain. Essayez autre chose.` : `${san} perd. Essayez autre chose.`,
    noCount: "Aucun compte tant qu’il reste un pion.",
    hint: "Indice",
    hints: {
        man: (name) => `Jouez cette pièce : ${name}.`,
        to: (square) => `Elle va en ${square}.`,
        move: (san) => `${san} est le meilleur.`,
    },
    restart: "Depuis le début",
    giveUp: "Abandonner",
    toCourse: "Retour au cours",
    next: "Leçon suivante",
    explore: "Regarder avec les tables",
    look: "regarder",
    played: (san) => `${san} était l’erreur.`,
    held: (names) => `Auraient tenu : ${names}.`,
    endings: {
        mated: "Mat, à temps !",
        expired: "Le compte est épuisé : sauvé !",
        held: "Tenu : la nulle est à vous.",
        missed: "C’est manqué.",
        left: "Abandonné.",
    },
    withHints: (n) => `Avec ${n} indice${plural(n)} ; elle revient bientôt.`,
    clean: "Sans faute et sans aide.",
};
