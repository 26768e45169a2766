declare module "*.css";

/** The encoder of GIF files, as far as it is used. */
declare module "gifenc/src/index.js" {
    type Colour = number[];
    interface FrameOptions {
        palette?: Colour[];
        /** Milliseconds. */
        delay?: number;
        /** 0 for ever. */
        repeat?: number;
        transparent?: boolean;
        transparentIndex?: number;
        dispose?: number;
    }
    export function GIFEncoder(): {
        writeFrame(index: Uint8Array, width: number, height: number, options: FrameOptions): void;
        finish(): void;
        bytes(): Uint8Array<ArrayBuffer>;
    };
    export function applyPalette(rgba: Uint8ClampedArray, palette: Colour[]): Uint8Array;
}
