// The board view: a position, its verdict, its moves, and the way through them.
import { linkTo, type Shared, stepsOf } from "./address.ts";
import { isWhole, type Move, Refusal, refusalOf } from "./api.ts";
import { read, type State } from "./answers.ts";
import { type Arrow, Board } from "./board.ts";
import { CountCard } from "./count.ts";
import { h } from "./dom.ts";
import { placed } from "./editor.ts";
import { boardIn } from "./fen.ts";
import type { GameCard } from "./game.ts";
import { language, words } from "./language/index.ts";
import { moveText } from "./notation.ts";
import { showMoves } from "./moves.ts";
import { fillRuling } from "./ruling.ts";
import { Palette } from "./palette.ts";
import { Results } from "./results.ts";
import { endingName } from "./pieces.ts";
import { failure } from "./failure.ts";
import { load } from "./parts.ts";
import { type Man, manOf, mayStand, PAWN_RANKS, readFen, roleOf, sideOf, squareOf, squaresOf } from "./position.ts";
import type { Visit } from "./desk.ts";
import { Steps } from "./steps.ts";
import { headOf, tell, toneOf } from "./told.ts";
import { type Mode, Tools } from "./tools.ts";
import { type Task, taskOf } from "./trainer/task.ts";
import { showVerdict, why } from "./verdict.ts";
import { Walk } from "./walk.ts";

/** A man's name, and how he moves. */
const tellMan = (man: Man): string => words.help.menBody.find(([role]) => role === roleOf(man))![1];

export class Explorer {
    readonly element = h("div", { class: "explorer" });
    private pointed: Move | null = null;
    private shown = "";
    readonly walk: Walk;
    private readonly answers = h("div", { class: "answers" });
    private readonly title = h("h1", { class: "offscreen" });
    /** The text that a screen reader announces after a move. */
    private readonly said = h("p", { class: "offscreen", role: "status", "aria-live": "polite" });
    private readonly verdict = h("section", { class: "card verdict" });
    private readonly moves = h("section", { class: "card moves" });
    private readonly ruling = h("section", { class: "ruling" });
    private readonly board: Board;
    private readonly count: CountCard;
    /** The card of a game, from the first that is pasted on, and its place. */
    private game: GameCard | null = null;
    private readonly gamePlace = h("div", { hidden: true });
    private readonly palette: Palette;
    private readonly practise: (task: Task) => void;
    private readonly steps: Steps;
    private readonly tools: Tools;
    private readonly results = new Results(() => this.drawBoard());
    /** Called with each answer, and with the position that it is about. */
    answered: ((state: State, fen: string) => void) | null = null;

    /** `paste` opens a dialog, `practise` begins a task, `thumb` opens the count without a position. */
    constructor(paste: () => void, practise: (task: Task) => void, thumb: () => void) {
        this.practise = practise;
        const walk = new Walk({
            changed: (isWaiting) => this.draw(isWaiting),
            taken: () => void this.takeGame().catch((error: unknown) => this.note(error)),
        });
        this.walk = walk;
        this.board = new Board({
            move: (from, to) => this.dropped(from, to),
            place: (square, man) => (this.results.isOn ? this.results.tap(square) : this.put(square, man)),
            refuse: (square) => {
                const man = readFen(walk.fen).squares[square];
                const who = walk.explored && words.notMovable(walk.explored.side);
                if (man) this.tools.note.textContent = [tellMan(man), who].filter(Boolean).join(" ");
            },
            // With results there is a note of its own.
            press: (man) => !this.results.isOn && (this.tools.note.textContent = tellMan(man)),
            drop: (from) => walk.editor.isOn && walk.edit((setup) => placed(setup, from, null)),
        });
        this.count = new CountCard(
            (count) => walk.edit((setup) => ({ ...setup, count }), "count"),
            (side) => walk.countedBy(side),
            thumb,
        );
        this.steps = new Steps(walk);
        this.palette = new Palette(walk, {
            done: () => this.turn("play"),
            paste,
            brush: (brush) => {
                walk.editor.brush = brush;
                this.draw();
            },
            take: (event, man) =>
                this.board.drag(event, man, (to, moved) => {
                    if (!moved || to === null) return;
                    walk.editor.brush = null;
                    this.put(to, man);
                }),
        });
        this.tools = new Tools(walk, {
            mode: (mode) => this.turn(mode),
            modeNow: () => (walk.editor.isOn ? "setup" : this.results.isOn ? "results" : "play"),
            side: (side) => walk.edit((setup) => this.count.turned(setup, side)),
            enter: (fen) => void this.enter(fen),
            paste,
            link: () => this.link(),
            share: () =>
                this.draws(({ sharePicture }) =>
                    sharePicture(readFen(walk.fen), walk.flipped, this.caption(), this.link(), this.results.marks),
                ),
            animation: () => {
                const steps = stepsOf(walk.line);
                if (steps.length < 2) return null;
                return () =>
                    this.draws(({ shareAnimation }) =>
                        shareAnimation(steps, walk.flipped, this.caption(), this.link()),
                    );
            },
        });
        this.answers.append(this.palette.element, this.verdict, this.count.element, this.moves);
        this.element.append(
            this.title,
            h(
                "div",
                { class: "at-board" },
                this.board.element,
                this.tools.bar,
                this.tools.note,
                this.results.element,
                this.gamePlace,
                this.steps.element,
                this.steps.tools,
            ),
            this.answers,
            h("div", { class: "more" }, this.tools.text),
            this.ruling,
            this.said,
        );
    }

    /** Shows the position or line of an address. */
    open(fen: string, shared: Shared, visit: Visit = "same"): void {
        void this.walk.open(fen, shared, visit).catch((error: unknown) => this.note(error));
    }

    /** Shows the greeting of the first page beside the board. */
    greet(greeting: HTMLElement): void {
        this.answers.prepend(greeting);
    }

    toggleSetup(): void {
        this.turn(this.walk.editor.isOn ? "play" : "setup");
    }

    /** Makes everything in the language of the day. */
    relabel(): void {
        this.count.relabel();
        this.game?.relabel();
        this.tools.relabel();
        this.draw();
    }

    /** Puts a man on a square by hand, and takes it from another if it stood there; a pawn only where one may stand. */
    private put(square: number, man: Man | null, from: number | null = null): void {
        if (man !== null && !mayStand(man, square)) {
            this.draw();
            const side = sideOf(man);
            this.tools.note.textContent = words.pawnSquares(side, ...PAWN_RANKS[side]);
            return;
        }
        this.walk.edit((setup) => placed(from === null ? setup : placed(setup, from, null), square, man));
    }

    /** A man was put from one square to another. */
    private dropped(from: number, to: number): void {
        const { walk } = this;
        if (walk.editor.isOn) {
            this.put(to, readFen(walk.fen).squares[from]!, from);
            return;
        }
        const move = walk.explored?.moves.find(({ uci }) => squareOf(uci) === from && squareOf(uci.slice(2)) === to);
        if (move) walk.play(move);
    }

    private turn(mode: Mode): void {
        this.walk.editor.turn(mode === "setup");
        this.results.turn(mode === "results");
        this.draw();
    }

    /** Takes a typed FEN; its problem is shown next to it. */
    private async enter(typed: string): Promise<void> {
        const fen = typed.trim();
        // Enter is followed by a change of the field: both bring the same text.
        if (fen === "" || fen === this.walk.fen || fen === this.entering) return;
        this.entering = fen;
        // As long as it is asked for, the board shows another position.
        this.tools.note.replaceChildren(`${words.verdict.waiting} `, h("code", {}, fen));
        const answer = await read(fen);
        if (this.entering !== fen) return;
        this.tools.note.replaceChildren();
        const isRefused = answer instanceof Refusal;
        // An illegal setup is shown all the same: it can be corrected on the board.
        const isBoard = !isRefused || answer.problems.length > 0;
        if (isBoard) this.walk.enter(isRefused ? boardIn(fen) : answer.fen, "fen");
        this.tools.refuse(isBoard ? [] : why(answer));
    }

    /** The text that was entered last, until the board shows another position. */
    private entering = "";

    /** A link to all that is on the board. */
    private link(): string {
        return linkTo(this.walk.line, this.walk.flipped, language);
    }

    /** Shows the game of the line, or none. */
    private async takeGame(): Promise<void> {
        const { walk } = this;
        if (walk.loaded && !this.game) {
            const { GameCard } = await load("dialogs");
            if (!this.game) {
                this.game = new GameCard(
                    (ply) => walk.toGame(ply),
                    () => walk.set(walk.fen),
                    this.practise,
                );
                this.gamePlace.replaceWith(this.game.element);
            }
        }
        this.game?.load(walk.loaded);
        this.game?.show(walk.gamePly, walk.line.now.ply === undefined);
    }

    private playOut(): void {
        void this.walk.playOut().catch((error: unknown) => this.note(error));
    }

    /** Makes a picture; a failure is shown below the board. */
    private draws(draw: (pictures: typeof import("./pictures.ts")) => void | Promise<void>): void {
        const { note } = this.tools;
        const again = () => this.draws(draw);
        note.replaceChildren(words.verdict.waiting);
        load("pictures")
            .then(draw)
            .then(() => note.replaceChildren())
            .catch((error: unknown) => {
                if (refusalOf(error).reason === "part_away") note.replaceChildren(...failure(error, again));
                else this.note(error);
            });
    }

    /** Shows below the board why an action failed. */
    private note(error: unknown): void {
        this.tools.note.replaceChildren(...why(refusalOf(error)));
    }

    private drawBoard(): void {
        const { walk } = this;
        const { now } = walk.line;
        const setup = readFen(now.fen);
        const king = setup.squares.indexOf(manOf("K", setup.side));
        const { isOn, brush } = walk.editor;
        this.results.show(now.fen, walk.explored);
        this.board.show({
            squares: setup.squares,
            flipped: walk.flipped,
            last: now.uci ? squaresOf(now.uci) : [],
            check: walk.explored?.check && king >= 0 ? king : null,
            setup: isOn,
            moves: walk.explored?.moves ?? [],
            // In the mode of results a tap asks for one.
            brush: this.results.isOn ? "x" : isOn ? brush : null,
            arrows: this.results.isOn ? [] : this.arrows(),
            marks: this.results.marks,
        });
    }

    /** Draws everything; until there is an answer, the former verdict stays for a moment. */
    private draw(isWaiting = false): void {
        const { line, explored, state, editor } = this.walk;
        const { now } = line;
        this.pointed = null;
        this.drawBoard();
        this.title.textContent = words.title;
        this.element.classList.toggle("setting-up", editor.isOn);
        if (this.shown !== now.fen) this.entering = "";
        this.shown = now.fen;
        this.tools.show();
        this.palette.show();
        this.steps.show();
        // Nothing that the library refuses is counted.
        const isRefused = state instanceof Refusal;
        this.count.element.hidden = isRefused;
        this.element.classList.toggle("waiting", !state && (!isWaiting || this.verdict.childElementCount === 0));
        if (!isRefused) this.count.show(readFen(now.fen), explored, now.counter ?? null);
        this.game?.show(this.walk.gamePly, now.ply === undefined);
        this.verdict.classList.toggle("stale", isWaiting);
        // The moves of the position before cannot be played in this one.
        this.moves.inert = isWaiting;
        if (isWaiting) return;
        const counted = isRefused ? null : this.count.ruling();
        fillRuling(this.ruling, now.fen, state, counted, line.times, this.walk.loaded);
        const repeated = line.times > 1 ? h("p", { class: "repeated" }, words.repeated(line.times)) : null;
        showVerdict(this.verdict, state ?? this.walk.early, now, () => this.playOut(), repeated);
        const task = explored && isWhole(explored) && explored.moves.length > 0 ? taskOf(explored) : null;
        if (task && !editor.isOn) this.verdict.querySelector(".play-out")?.after(this.practiseButton(task));
        showMoves(this.moves, explored, this.walk.early !== null, {
            play: (move) => this.walk.play(move),
            point: (move) => {
                this.pointed = move;
                this.drawBoard();
            },
        });
        const caption = this.caption();
        if (this.element.isConnected) document.title = caption ? `${caption} · ${words.title}` : words.title;
        this.announce();
        this.answered?.(state, now.fen);
    }

    private practiseButton(task: Task): HTMLElement {
        const begin = () => this.practise(task);
        return h("button", { class: "play-out", onclick: begin }, words.verdict.fromHere);
    }

    /** The position in a few words. */
    private caption(): string {
        const explored = this.walk.explored ?? this.walk.early;
        if (!explored || explored.status === "unjudged") return "";
        const head = explored.status === "judged" ? tell(explored).head : headOf(toneOf(explored));
        return `${endingName(explored.material)}: ${head}`;
    }

    /** Has the move just played and the verdict read out, and nothing else. */
    private announce(): void {
        const { now } = this.walk.line;
        const found = (what: string) => this.verdict.querySelector(what)?.textContent ?? "";
        const parts = [now.san ? moveText(now.san) : "", found(".mistake"), found("h2")];
        const text = parts.filter(Boolean).join(". ");
        if ((this.walk.state ?? this.walk.early) && this.said.textContent !== text) this.said.textContent = text;
    }

    private arrows(): Arrow[] {
        const { editor, explored } = this.walk;
        if (editor.isOn) return [];
        const arrow = ({ uci }: Move, kind: Arrow["kind"]): Arrow => {
            const [from, to] = squaresOf(uci);
            return { from, to, kind };
        };
        if (this.pointed) return [arrow(this.pointed, "shown")];
        const best = explored?.moves[0];
        const isDraw = explored?.status === "judged" && explored.category === "draw";
        return best?.status === "judged" && !isDraw ? [arrow(best, "best")] : [];
    }
}
