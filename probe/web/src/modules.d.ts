declare module "*.pgn" {
    const text: string;
    export default text;
}
declare module "*.css";
