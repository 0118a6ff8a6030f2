import { app } from "./hono_app.ts";
import { serve } from "./serve.ts";

serve(app.fetch);
