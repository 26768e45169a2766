/** The types of host.mjs, for the page's tests. */
export interface Host {
    url: string;
    stop(): void;
}
/** A request that nginx has answered. */
export interface Asked {
    /** The connection's number. */
    connection: string;
    protocol: string;
    path: string;
}
export const program: string;
export const packageFolder: string;
export function temporary(): string;
export function tablesFolder(): string;
export function run(args: string[], input?: string, mayFail?: boolean): string;
export function makeSite(tables: string, guideOnly: boolean): string;
export function freePort(): Promise<number>;
export function startNginx(
    site: string,
    extra?: string,
    protocol?: "plain" | "tls" | "http2",
): Promise<Host & { requests(): Asked[] }>;
export function startService(tables: string): Promise<Host>;
export function random(seed: number): (below: number) => number;
export function fenOf(men: Map<number, string>, turn: string): string;
export function placement(material: string, turn: string, pick: (below: number) => number): string;
export function threeMen(man: string): Generator<string>;
export function nativeVerdicts(tables: string, fens: string[], withMoves: boolean): string[];
export function readPackage(): Record<string, unknown>;
