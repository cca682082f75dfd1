// The grid of all heads as a page of its own.

import headGrid from "../components/browser/head_grid/view.js";
import { alone } from "../components/browser/shared/alone.js";
import { takePlace } from "./framed.js";

alone(headGrid);
takePlace();
