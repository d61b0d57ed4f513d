/** A style sheet that is bundled as its text. */
declare module "*.css" {
  const text: string;
  export default text;
}
