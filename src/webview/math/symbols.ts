/** What the commands of formulas that stand for one sign mean. Tables only. */

const table = (entries: string): ReadonlyMap<string, string> =>
  new Map(
    entries
      .trim()
      .split(/\s+/)
      .map((entry) => {
        const at = entry.indexOf("=");
        return [entry.slice(0, at), entry.slice(at + 1)] as const;
      }),
  );

/** Letters. */
export const LETTERS = table(`
  alpha=α beta=β gamma=γ delta=δ epsilon=ϵ varepsilon=ε zeta=ζ eta=η theta=θ vartheta=ϑ iota=ι kappa=κ varkappa=ϰ
  lambda=λ mu=μ nu=ν xi=ξ omicron=ο pi=π varpi=ϖ rho=ρ varrho=ϱ sigma=σ varsigma=ς tau=τ upsilon=υ phi=ϕ varphi=φ
  chi=χ psi=ψ omega=ω digamma=ϝ ell=ℓ hbar=ℏ hslash=ℏ imath=ı jmath=ȷ
`);

/** Signs that stand upright as a letter does. */
export const UPRIGHT = table(`
  Gamma=Γ Delta=Δ Theta=Θ Lambda=Λ Xi=Ξ Pi=Π Sigma=Σ Upsilon=Υ Phi=Φ Psi=Ψ Omega=Ω
  infty=∞ emptyset=∅ varnothing=∅ aleph=ℵ beth=ℶ wp=℘ Re=ℜ Im=ℑ top=⊤ bot=⊥ angle=∠ triangle=△ square=□ Box=□
  blacksquare=■ diamond=⋄ Diamond=◇ clubsuit=♣ diamondsuit=♢ heartsuit=♡ spadesuit=♠ flat=♭ natural=♮ sharp=♯
  ldots=… dots=… dotsc=… dotso=… cdots=⋯ dotsb=⋯ dotsm=⋯ dotsi=⋯ vdots=⋮ ddots=⋱ checkmark=✓ dagger=† ddagger=‡ degree=°
  S=§ P=¶ copyright=© pounds=£ euro=€ yen=¥ $=$ %=% #=# _=_ &=&
`);

/** Operators, relations and arrows. */
export const OPERATORS = table(`
  times=× div=÷ pm=± mp=∓ cdot=⋅ ast=∗ star=⋆ circ=∘ bullet=• oplus=⊕ ominus=⊖ otimes=⊗ oslash=⊘ odot=⊙ dagger=†
  wedge=∧ land=∧ vee=∨ lor=∨ cap=∩ cup=∪ sqcap=⊓ sqcup=⊔ uplus=⊎ setminus=∖ smallsetminus=∖ wr=≀ amalg=⨿ neg=¬ lnot=¬
  le=≤ leq=≤ leqslant=⩽ ge=≥ geq=≥ geqslant=⩾ ne=≠ neq=≠ equiv=≡ approx=≈ sim=∼ simeq=≃ cong=≅ propto=∝ asymp=≍ doteq=≐
  ll=≪ gg=≫ lll=⋘ ggg=⋙ prec=≺ succ=≻ preceq=⪯ succeq=⪰ lesssim=≲ gtrsim=≳ coloneqq=≔ triangleq=≜ models=⊨ vDash=⊨
  in=∈ notin=∉ ni=∋ subset=⊂ supset=⊃ subseteq=⊆ supseteq=⊇ subsetneq=⊊ supsetneq=⊋ sqsubseteq=⊑ sqsupseteq=⊒
  perp=⟂ parallel=∥ nparallel=∦ mid=∣ nmid=∤ vdash=⊢ dashv=⊣ bowtie=⋈ forall=∀ exists=∃ nexists=∄ partial=∂ nabla=∇
  therefore=∴ because=∵ colon=: prime=′ backprime=‵ surd=√ lhd=⊲ rhd=⊳
  to=→ rightarrow=→ gets=← leftarrow=← leftrightarrow=↔ Rightarrow=⇒ Leftarrow=⇐ Leftrightarrow=⇔ iff=⟺ implies=⟹
  impliedby=⟸ mapsto=↦ longmapsto=⟼ longrightarrow=⟶ longleftarrow=⟵ longleftrightarrow=⟷ Longrightarrow=⟹
  Longleftarrow=⟸ Longleftrightarrow=⟺ uparrow=↑ downarrow=↓ updownarrow=↕ Uparrow=⇑ Downarrow=⇓ nearrow=↗ searrow=↘
  swarrow=↙ nwarrow=↖ hookrightarrow=↪ hookleftarrow=↩ rightharpoonup=⇀ leftharpoonup=↼ rightleftharpoons=⇌ leadsto=⇝
  rightsquigarrow=⇝ twoheadrightarrow=↠ rightrightarrows=⇉ upharpoonright=↾ restriction=↾
`);

/** Large operators; those of the second table take their limits below and above where there is room. */
export const INTEGRALS = table("int=∫ iint=∬ iiint=∭ oint=∮ oiint=∯");
export const SUMS = table(`
  sum=∑ prod=∏ coprod=∐ bigcup=⋃ bigcap=⋂ bigvee=⋁ bigwedge=⋀ bigoplus=⨁ bigotimes=⨂ bigodot=⨀ biguplus=⨄ bigsqcup=⨆
`);

/** What stands at either side and grows with what is between. */
export const FENCES = table(`
  {={ }=} lbrace={ rbrace=} lbrack=[ rbrack=] langle=⟨ rangle=⟩ lfloor=⌊ rfloor=⌋ lceil=⌈ rceil=⌉ vert=| |=‖ Vert=‖
  lvert=| rvert=| lVert=‖ rVert=‖ lgroup=⟮ rgroup=⟯ ulcorner=⌜ urcorner=⌝ backslash=\\
`);

/** Functions that are written upright. */
export const FUNCTIONS: ReadonlySet<string> = new Set(
  "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth exp log ln lg deg dim ker hom arg".split(" "),
);

/** Functions with something below them where there is room. */
export const LIMITS: ReadonlyMap<string, string> = new Map([
  ...["lim", "max", "min", "sup", "inf", "det", "gcd", "Pr"].map((name) => [name, name] as const),
  ["limsup", "lim\u00a0sup"],
  ["liminf", "lim\u00a0inf"],
  ["argmax", "arg\u00a0max"],
  ["argmin", "arg\u00a0min"],
]);

/** Signs over or under what follows, and whether they grow with it. */
export const ACCENTS: ReadonlyMap<string, { readonly sign: string; readonly below?: true; readonly wide?: true }> =
  new Map([
    ["hat", { sign: "^" }],
    ["widehat", { sign: "^", wide: true }],
    ["bar", { sign: "¯" }],
    ["overline", { sign: "¯", wide: true }],
    ["vec", { sign: "→" }],
    ["overrightarrow", { sign: "→", wide: true }],
    ["overleftarrow", { sign: "←", wide: true }],
    ["tilde", { sign: "~" }],
    ["widetilde", { sign: "~", wide: true }],
    ["dot", { sign: "˙" }],
    ["ddot", { sign: "¨" }],
    ["check", { sign: "ˇ" }],
    ["breve", { sign: "˘" }],
    ["acute", { sign: "´" }],
    ["grave", { sign: "`" }],
    ["mathring", { sign: "˚" }],
    ["overbrace", { sign: "⏞", wide: true }],
    ["underline", { sign: "_", below: true, wide: true }],
    ["underbrace", { sign: "⏟", below: true, wide: true }],
  ]);

/** Spaces, in widths of an em. */
export const SPACES: ReadonlyMap<string, string> = new Map([
  [",", "0.167em"],
  [":", "0.222em"],
  [">", "0.222em"],
  [";", "0.278em"],
  ["!", "-0.167em"],
  [" ", "0.333em"],
  ["\n", "0.333em"],
  ["enspace", "0.5em"],
  ["quad", "1em"],
  ["qquad", "2em"],
  ["thinspace", "0.167em"],
]);
