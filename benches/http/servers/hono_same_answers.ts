import { app } from "./hono_same_answers_app.ts";
import { serve } from "./serve.ts";

serve(app.fetch);
