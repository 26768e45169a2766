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
            text: (needs, left) =>
                `La tour enferme le roi nu, votre roi vient l’aider, et le mat tombe au bord. Le compte d’une tour va jusqu’à 16 et commence au nombre de pièces : il reste ici ${left} coups, et ${needs} suffisent.`,
        },
        rooks: {
            title: "Deux tours pressées",
            text: (needs, left) =>
                `Deux tours sont si fortes que leur compte ne va que jusqu’à 8, moins toutes les pièces de l’échiquier. Il reste ${left} coups et il en faut ${needs} : aucun ne peut être perdu.`,
        },
        khons: {
            title: "Deux khons",
            text: (needs, left) =>
                `Deux khons côte à côte font un mur que le roi ne passe pas. Avancez-le avec votre roi : un khon ne recule qu’en diagonale. Il reste ${left} coups, il en faut ${needs}.`,
        },
        khonMet: {
            title: "Khon et met",
            text: (needs, left) =>
                `Les deux sont lents, et un met ne voit jamais qu’une couleur de cases. Patience : il reste ${left} coups et il en faut ${needs}. Veillez d’abord sur vos pièces, aucune ne doit tomber.`,
        },
        knightKhon: {
            title: "Cavalier et khon",
            text: (needs, left) =>
                `Le roi est déjà au bord. Cavalier et khon lui prennent les cases voisines pendant que votre roi l’y tient. ${needs} coups suffisent, et le compte en laisse ${left}.`,
        },
        knightMet: {
            title: "Cavalier et met",
            text: (needs, left) =>
                `Le long chemin du makruk : de certaines places il faut 36 coups. Ici ${needs} suffisent, et le compte en laisse ${left}. Gare au pat : c’est nulle.`,
        },
        take: {
            title: "Prendre à temps",
            text: () =>
                "Les deux camps ont encore une pièce. Prendre la dernière ouvre un nouveau compte ; demandez-vous avant : reste-t-il assez de coups pour mater ? Avec la tour contre un roi nu il en reste 13. Ici cela suffit, mais prenez au bon moment et ne perdez rien ensuite.",
        },
        poison: {
            title: "Un khon à ne pas prendre",
            text: (needs) =>
                `Le khon est là, à prendre. Mais le compte qui commence alors laisse 13 coups, et il en faudrait 15 pour mater : nulle. Ne prenez pas ; ${needs} coups bien joués gagnent à un meilleur moment.`,
        },
        offer: {
            title: "Donner la tour pour sauver la partie",
            text: () =>
                "Deux tours contre la vôtre : sans le compte vous êtes perdu. Donnez la tour de façon que la prise laisse trop peu de coups pour mater. Un seul coup le fait ; ensuite fuyez, et laissez travailler le compte.",
        },
        bait: {
            title: "L’appât",
            text: () =>
                "Une tour poursuit votre khon et votre roi. Offrez le khon : s’il est pris, il reste 13 coups et il en faut davantage. S’il n’est pas pris, vous le gardez. Un seul coup tient.",
        },
    },
    fresh: "nouveau",
    again: "à répéter",
    known: (level: number) => `${"●".repeat(level)}${"○".repeat(5 - level)}`,
    due: (n: number) => (n === 0 ? "À répéter" : `À répéter : ${n}`),
    repeat: "Répéter la suivante",
    nothingDue: "Rien aujourd’hui. Ce qui a échoué revient aussitôt, ce qui a réussi après 1, 3, 7, 21 et 60 jours.",
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
    settings: "Adversaire et erreurs",
    opponent: "La page joue",
    manners: { stubborn: "la plus longue défense", tricky: "le meilleur piège" },
    mistakes: "Les erreurs sont dites",
    atOnce: "aussitôt",
    atEnd: "à la fin",
    record: "Ce que vous avez appris",
    remembered: (n: number) => `${n} position${plural(n)} gardée${plural(n)} sur cet appareil.`,
    write: "Enregistrer un fichier",
    read: "Lire un fichier",
    taken: (n: number) => `Lu. ${n} positions sont gardées.`,
    notTaken: "Ce n’est pas un fichier de l’entraînement.",
    goal: (goal, who) =>
        goal === "win"
            ? `Vous avez ${the(who)} : matez avant la fin du compte.`
            : `Vous avez ${the(who)} : sauvez la nulle.`,
    yourMove: (who) => `${who === "white" ? "Les Blancs" : "Les Noirs"} jouent : à vous.`,
    replied: (san) => `La réponse est ${san}. À vous.`,
    thinking: "La page répond…",
    slip: (san, goal) =>
        goal === "win" ? `${san} laisse échapper le gain. Essayez autre chose.` : `${san} perd. Essayez autre chose.`,
    spoken: (counted, limit) => `« ${counted} ! » Le compte va jusqu’à ${limit}.`,
    fromHere: "S’entraîner d’ici",
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
