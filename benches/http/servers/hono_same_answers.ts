import { byHand } from "../../web/by_hand.ts";
import { serve } from "./serve.ts";

serve(byHand().fetch);
