import { dialectContract } from "../../contracts/dialectContract.ts";

dialectContract("chat");
dialectContract("responses");
