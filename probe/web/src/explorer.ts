// The board view: a position, its verdict, its moves, and the way through them.
import { type Explored, type Game, inAddress, type Move, Refusal, server } from "./api.ts";
import { type Arrow, Board } from "./board.ts";
import { CountCard } from "./count.ts";
import { h } from "./dom.ts";
import { GameCard, type Loaded } from "./game.ts";
import { words } from "./language/index.ts";
import { Line } from "./line.ts";
import { showMoves } from "./moves.ts";
import { countMen, manOf, mirrored, readFen, roleOf, type Setup, squareOf, swapped, writeFen } from "./position.ts";
import { quizCard, type Quiz } from "./quiz.ts";
import { heapOf, tell } from "./told.ts";
import { type Brush, squaresOf, Tools } from "./tools.ts";
import { showVerdict, type State } from "./verdict.ts";

const EMPTY = "8/8/8/8/8/8/8/8 w - - 0 1";
/** Positions whose answers are kept. */
const KEPT = 500;
/** An answer that takes longer shows that it is waited for, in milliseconds. */
const SOON = 200;

export class Explorer {
    readonly element = h("div", { class: "explorer" });
    private line = new Line(EMPTY);
    private loaded: Loaded | null = null;
    /** Where in the game the board has been last. */
    private gamePly = 0;
    private isSetup = false;
    private brush: Brush = null;
    private flipped = false;
    private quiz: Quiz | null = null;
    private pointed: Move | null = null;
    /** The best move was asked for before it was known. */
    private wantsBest = false;
    private state: State = null;
    private asked = new AbortController();
    private readonly answers = new Map<string, State>();
    private readonly title = h("h1", { class: "offscreen" });
    private readonly verdict = h("section", { class: "card verdict", "aria-live": "polite" });
    private readonly moves = h("section", { class: "card moves" });
    private readonly board: Board;
    private readonly count: CountCard;
    private readonly game: GameCard;
    private readonly tools: Tools;
    private readonly paste: () => void;

    constructor(paste: () => void) {
        this.paste = paste;
        this.board = new Board({
            move: (from, to) => this.dropped(from, to),
            place: (square, man) => this.edit((setup) => placed(setup, square, man), "board"),
            refuse: () => {
                if (this.explored) this.tools.note.textContent = words.notMovable(this.explored.side);
            },
            drop: (from) => this.isSetup && this.edit((setup) => placed(setup, from, null), "board"),
        });
        this.count = new CountCard((count) => this.edit((setup) => ({ ...setup, count }), "count"));
        this.game = new GameCard(
            (ply) => this.toGame(ply),
            () => this.closeGame(),
        );
        this.tools = new Tools({
            go: (to) => this.go(to),
            jump: (at) => this.jump(at),
            flip: () => this.flip(),
            edit: (change, kind) => this.edit(change, kind),
            mirror: () => this.edit(mirrored, "mirror"),
            swap: () => {
                this.flipped = !this.flipped;
                this.edit(swapped, "swap");
            },
            setup: (on) => this.setUp(on),
            brush: (brush) => {
                this.brush = brush;
                this.draw();
            },
            take: (event, man) =>
                this.board.drag(event, man, (to, moved) => {
                    if (!moved || to === null) return;
                    this.brush = null;
                    this.edit((setup) => placed(setup, to, man), "board");
                }),
            enter: (fen) => void this.enter(fen),
            paste: () => this.paste(),
        });
        this.element.append(
            this.title,
            h(
                "div",
                { class: "at-board" },
                this.board.element,
                this.tools.bar,
                this.tools.note,
                this.tools.palette,
                this.game.element,
                this.tools.moves,
            ),
            h("div", { class: "answers" }, this.verdict, this.count.element, this.moves),
            h("div", { class: "more" }, this.tools.text),
        );
    }

    /** Puts a position on the board, and forgets what was there. */
    set(fen: string, quiz: Quiz["kind"] | null = null): void {
        this.line = new Line(fen);
        this.quiz = quiz && { kind: quiz, fen, isOpen: false };
        this.isSetup = false;
        // Who is to find something sits on the near side.
        if (quiz) this.flipped = readFen(fen).side === "black";
        this.load(null);
        this.refresh();
    }

    setGame(game: Game): void {
        const positions = game.positions ?? [];
        const first = positions.findIndex((position) => position.category);
        this.load({ game, positions });
        this.quiz = null;
        this.isSetup = false;
        this.gamePly = 0;
        this.line = Line.ofGame(positions, first < 0 ? 0 : first);
        this.refresh();
    }

    /** Has nothing been put on the board yet? */
    get isEmpty(): boolean {
        return this.fen === EMPTY;
    }

    get fen(): string {
        return this.line.now.fen;
    }

    /** Where this position is found again. */
    get address(): string {
        return `/?fen=${inAddress(this.fen)}`;
    }

    /** Makes everything in the language of the day. */
    relabel(): void {
        this.count.relabel();
        this.game.relabel();
        this.tools.relabel();
        this.draw();
    }

    private load(loaded: Loaded | null): void {
        this.loaded = loaded;
        this.game.load(loaded);
    }

    private toGame(ply: number): void {
        if (!this.loaded) return;
        this.line = Line.ofGame(this.loaded.positions, ply);
        this.refresh();
    }

    private closeGame(): void {
        this.set(this.fen);
    }

    /** Whatever this position is a puzzle of is still to be found. */
    private get isPuzzle(): boolean {
        return this.quiz !== null && !this.quiz.isOpen && this.quiz.fen === this.fen;
    }

    /** The answer, if it is that of the position shown. */
    private get explored(): Explored | null {
        return this.state instanceof Refusal ? null : this.state;
    }

    private edit(change: (setup: Setup) => Setup, kind: string): void {
        const before = readFen(this.fen);
        const setup = change(before);
        // With other men it is another ending: a count that ran says nothing of it.
        if (countMen(setup.squares) !== countMen(before.squares)) setup.count = null;
        const fen = writeFen(setup);
        if (fen === this.fen) return;
        this.quiz = null;
        this.line.push({ fen, san: null, uci: null, edit: kind === "count" ? kind : `${kind} ${this.line.at}` });
        this.refresh();
    }

    /** A man was put from one square to another. */
    private dropped(from: number, to: number): void {
        if (this.isSetup) {
            this.edit((setup) => placed(placed(setup, from, null), to, setup.squares[from]!), "board");
            return;
        }
        const move = this.explored?.moves.find(({ uci }) => squareOf(uci) === from && squareOf(uci.slice(2)) === to);
        if (move) this.play(move);
    }

    play(move: Move): void {
        const position = this.explored;
        if (!position) return;
        const best = position.moves[0];
        const isRight = this.quiz && heapOf(move.category) === (this.quiz.kind === "draw" ? "drawn" : "win");
        if (this.isPuzzle && isRight) this.quiz!.isOpen = true;
        this.line.push({
            fen: move.fen,
            san: move.san,
            uci: move.uci,
            ...(move.category && best
                ? {
                      judged: {
                          san: move.san,
                          gave_away: move.gave_away ?? null,
                          lost_moves: move.lost_moves ?? null,
                          best: best.san,
                      },
                  }
                : {}),
        });
        this.refresh();
    }

    /** Plays the best move, or shows what is known to follow. */
    best(): void {
        if (this.isPuzzle || this.isSetup) return;
        if (this.state === null) {
            this.wantsBest = true;
            return;
        }
        const best = this.explored?.moves[0];
        if (best?.category) this.play(best);
        else this.draw();
    }

    go(to: "start" | "back" | "forward" | "end"): void {
        const { at, nodes } = this.line;
        this.jump({ start: 0, back: at - 1, forward: at + 1, end: nodes.length - 1 }[to]);
    }

    private jump(at: number): void {
        if (this.line.go(at)) this.refresh();
    }

    flip(): void {
        this.flipped = !this.flipped;
        this.draw();
    }

    toggleSetup(): void {
        this.setUp(!this.isSetup);
    }

    private setUp(on: boolean): void {
        this.isSetup = on;
        this.brush = null;
        this.draw();
    }

    /** Takes a FEN that was typed; what is wrong with it is said beside it. */
    private async enter(fen: string): Promise<void> {
        const text = fen.trim().replaceAll("_", " ");
        if (text === "" || text === this.fen) return;
        try {
            const answer = await server.explore(text, new AbortController().signal);
            this.tools.refuse(null);
            this.enterFen(answer.fen);
        } catch (error) {
            if (!(error instanceof Refusal)) return;
            if (error.problems.length > 0) this.enterFen(text);
            else this.tools.refuse(error.message);
        }
    }

    private enterFen(fen: string): void {
        this.quiz = null;
        this.line.push({ fen, san: null, uci: null, edit: `fen ${this.line.at}` });
        this.refresh();
    }

    /** The line of best play follows; what it was from here on is gone. */
    private async playOut(): Promise<void> {
        const from = this.fen;
        const { line, end } = await server.line(from);
        if (this.fen !== from || line.length === 0) return;
        const nodes = line.map(({ fen, san, uci }) => ({ fen, san, uci }));
        this.line.append(nodes.map((node, at) => (at === nodes.length - 1 ? { ...node, end } : node)));
        this.draw();
    }

    /** Shows the position and asks what it is worth. */
    private refresh(): void {
        const { fen, ply } = this.line.now;
        if (ply !== undefined) this.gamePly = ply;
        this.pointed = null;
        this.wantsBest = false;
        this.asked.abort();
        this.asked = new AbortController();
        const { signal } = this.asked;
        const known = this.answers.get(fen);
        this.state = known ?? null;
        history.replaceState(null, "", this.address);
        if (known) {
            this.draw();
            return;
        }
        // The verdict stays until there is another, so that nothing flickers; unless that takes long.
        this.draw(true);
        const waiting = setTimeout(() => this.draw(), SOON);
        server
            .explore(fen, signal)
            .catch((error) => {
                if (error instanceof Refusal) return error;
                throw error;
            })
            .then((answer) => {
                if (this.answers.size >= KEPT) this.answers.clear();
                // A table that is missing may come.
                if (answer instanceof Refusal || !answer.error) this.answers.set(fen, answer);
                if (signal.aborted) return;
                clearTimeout(waiting);
                this.state = answer;
                if (!(answer instanceof Refusal) && answer.fen !== fen) this.normalise(answer.fen);
                if (this.wantsBest) this.best();
                else this.draw();
            })
            .catch(() => clearTimeout(waiting));
    }

    /** A FEN of fewer fields or other letters, as everyone writes it. */
    private normalise(fen: string): void {
        this.line.now.fen = fen;
        if (this.quiz) this.quiz.fen = fen;
        this.answers.set(fen, this.state);
        history.replaceState(null, "", this.address);
    }

    private drawBoard(): void {
        const { now } = this.line;
        const setup = readFen(now.fen);
        const { explored } = this;
        const [from, to] = squaresOf(now.uci).map(squareOf);
        const king = setup.squares.indexOf(manOf("K", setup.side));
        const moves = explored?.moves ?? [];
        this.board.show({
            squares: setup.squares,
            flipped: this.flipped,
            last: from !== undefined && to !== undefined ? [from, to] : [],
            check: explored?.check && king >= 0 ? king : null,
            setup: this.isSetup,
            targets: (from) =>
                moves.filter(({ uci }) => squareOf(uci) === from).map(({ uci }) => squareOf(uci.slice(2))),
            mayLift: (from) => this.isSetup || moves.some(({ uci }) => squareOf(uci) === from),
            brush: this.isSetup ? this.brush : null,
            arrows: this.arrows(explored),
        });
    }

    /** Draws everything; without an answer yet, what was said of the position before stays for a moment. */
    private draw(isWaiting = false): void {
        const { now } = this.line;
        const { explored } = this;
        this.drawBoard();
        this.title.textContent = words.title;
        this.tools.show(this.line, this.isSetup, this.brush);
        this.count.show(readFen(now.fen), explored);
        this.game.show(this.gamePly, now.ply === undefined);
        this.verdict.classList.toggle("stale", isWaiting);
        if (isWaiting) return;
        if (this.quiz && (this.isPuzzle || !this.quiz.isOpen)) {
            this.drawPuzzle();
            return;
        }
        showVerdict(this.verdict, this.state, now, () => void this.playOut());
        if (this.quiz?.isOpen && now.judged && this.line.nodes[this.line.at - 1]?.fen === this.quiz.fen) {
            const isSolved = !now.judged.gave_away || now.judged.gave_away === "time";
            if (isSolved) this.verdict.prepend(h("p", { class: "solved" }, words.quiz.right(now.judged.san)));
        }
        showMoves(this.moves, explored, {
            play: (move) => this.play(move),
            point: (move) => {
                this.pointed = move;
                this.drawBoard();
            },
        });
        const head = explored?.category ? `${explored.material}: ${tell(explored).head}` : explored?.material;
        document.title = head ? `${head} · ${words.title}` : words.title;
    }

    private drawPuzzle(): void {
        const open = () => {
            this.quiz!.isOpen = true;
            const at = this.line.nodes.findIndex(({ fen }) => fen === this.quiz!.fen);
            if (!this.line.go(at)) this.draw();
            else this.refresh();
        };
        const again = () => {
            this.line.go(this.line.nodes.findIndex(({ fen }) => fen === this.quiz!.fen));
            this.refresh();
        };
        this.verdict.className = "card verdict quiz";
        this.verdict.replaceChildren(
            ...quizCard(this.quiz!, readFen(this.quiz!.fen).side, this.isPuzzle ? null : this.line.now, open, again),
        );
        showMoves(this.moves, null, { play: () => {}, point: () => {} });
        document.title = words.title;
    }

    private arrows(explored: Explored | null): Arrow[] {
        if (this.isSetup || this.isPuzzle || (this.quiz && !this.quiz.isOpen)) return [];
        const arrow = (move: Move, kind: Arrow["kind"]): Arrow => ({
            from: squareOf(move.uci),
            to: squareOf(move.uci.slice(2)),
            kind,
        });
        if (this.pointed) return [arrow(this.pointed, "shown")];
        const best = explored?.moves[0];
        const tells = best?.category && explored?.category !== "draw";
        return tells ? [arrow(best, "best")] : [];
    }
}

/** A setup with a man put on a square, or a square emptied. A side has one king: it goes where it was put last. */
function placed(setup: Setup, square: number, man: string | null): Setup {
    const squares = setup.squares.map((is) => (man && roleOf(man) === "K" && is === man ? null : is));
    squares[square] = man;
    return { ...setup, squares };
}
