import { dialectContract } from "../../contracts/dialectContract.ts";

dialectContract("ollama");
