// The files of the page that are loaded when they are first used.
import { Refusal } from "./api.ts";

/** The build of this page, set by build.mjs, so that a host with a file of an older page is asked again. */
declare const BUILD: string;

let failures = 0;

/** Loads files, whose addresses end with a mark; if one cannot be had, a refusal that says why. */
export async function loadFiles<T>(load: (mark: string) => Promise<T>): Promise<T> {
    try {
        // Some browsers remember an address that failed.
        return await load(`?${BUILD}${failures > 0 ? `-${failures}` : ""}`);
    } catch (error) {
        failures += 1;
        // There is no network, or the file is of another build: it imports a name that the loaded files lack.
        throw new Refusal(String(error), "part_away");
    }
}
