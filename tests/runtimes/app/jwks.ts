/** Takes tokens of the issuers at an address that the test gives, and prints with which statuses it answered. */
import { bootstrap, GetMapping, RestController } from "@irori/irori";
import { jwt, security } from "@irori/irori/security";

@RestController()
class Tracks {
  @GetMapping("/tracks")
  all() {
    return [];
  }
}

const [base = "", gone = "", first = "", second = ""] = process.argv.slice(2);
const found: Record<string, number[]> = {};
console.error = () => {};

for (const name of ["rotating", "down", "hanging", "hanging-body", "gone"]) {
  const jwksUri = name === "gone" ? `${gone}/keys` : `${base}/${name}`;
  const token = jwt({
    issuer: "https://id.example",
    audience: "tracks",
    jwksUri,
    cooldown: 0,
    timeout: 0.5,
  });
  const app = await bootstrap({
    components: [Tracks],
    config: {},
    extensions: [security({ schemes: { token } })],
  });
  found[name] = [];
  for (const token of ["x", first, second]) {
    const response = await app.request("/tracks", {
      headers: { Authorization: `Bearer ${token}` },
    });
    found[name].push(response.status);
  }
  await app.close();
}
console.log(JSON.stringify(found));
