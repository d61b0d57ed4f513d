import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

/** The core runs anywhere and knows nobody: no package, no Node, no other layer; not even for a type. */
const coreFence = {
  patterns: [
    { regex: "^[^.]", message: "The core imports nothing from outside itself." },
    { regex: "^(\\.\\./)+(adapters|host|protocol|webview|extension)", message: "The core is the lowest layer." },
  ],
};

/** What may stand in a template beside text: numbers, and nothing that would read "undefined" or "[object Object]". */
const numbersInTemplates = {
  allowAny: false,
  allowBoolean: false,
  allowNever: false,
  allowNullish: false,
  allowNumber: true,
  allowRegExp: false,
};

export default defineConfig(
  { ignores: ["dist/", ".vscode-test/"] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", numbersInTemplates],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "no-empty": "error",
    },
  },
  { files: ["src/**"], rules: { "no-console": "error" } },
  { files: ["src/core/**"], rules: { "@typescript-eslint/no-restricted-imports": ["error", coreFence] } },
  { files: ["**/*.ts"], rules: { "@typescript-eslint/explicit-module-boundary-types": "error" } },
  { files: ["**/*.mjs"], ...tseslint.configs.disableTypeChecked },
);
