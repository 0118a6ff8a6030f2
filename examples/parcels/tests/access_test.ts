import { accessTable } from "irori/testing";
import assert from "node:assert/strict";
import { app, databaseTest, dispatcher, users } from "./with_database.ts";

databaseTest("who may do what", async () => {
  await dispatcher.parcel.announce({ body: { address: "1 Main Street" } });
  assert.equal(
    await accessTable(app, { users }),
    `
                           anonymous  courier  dispatcher
POST /couriers             401        403      400
POST /login                400        400      400
POST /logout               400        400      400
POST /parcels              401        403      400
GET /parcels/{id}          401        200      200
PUT /parcels/{id}          401        403      400
GET /parcels/{id}/events   401        200      200
POST /parcels/{id}/events  401        400      403
GET /parcels/{id}/note     401        404      404
PUT /parcels/{id}/note     401        400      403
POST /refresh              400        400      400
`,
  );
});
