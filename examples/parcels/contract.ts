// Written by 'irori contract'.
// deno-fmt-ignore-file
const operations = {
  "CourierController": {
    "add": {
      "method": "POST",
      "path": "/couriers",
      "parameters": [
        {
          "in": "body",
          "as": "body"
        }
      ],
      "problems": [
        {
          "status": 409,
          "type": "/problems/name-taken"
        }
      ]
    }
  },
  "LoginController": {
    "login": {
      "method": "POST",
      "path": "/login",
      "parameters": [
        {
          "in": "body",
          "as": "body"
        }
      ],
      "problems": [
        {
          "status": 401,
          "type": "/problems/login-failed"
        }
      ]
    },
    "logout": {
      "method": "POST",
      "path": "/logout",
      "parameters": [
        {
          "in": "body",
          "as": "body"
        }
      ]
    },
    "refresh": {
      "method": "POST",
      "path": "/refresh",
      "parameters": [
        {
          "in": "body",
          "as": "body"
        }
      ],
      "problems": [
        {
          "status": 401,
          "type": "/problems/login-failed"
        }
      ]
    }
  },
  "ParcelController": {
    "announce": {
      "method": "POST",
      "path": "/parcels",
      "parameters": [
        {
          "in": "body",
          "as": "body"
        }
      ]
    },
    "get": {
      "method": "GET",
      "path": "/parcels/{id}",
      "parameters": [
        {
          "in": "path",
          "name": "id"
        },
        {
          "in": "header",
          "name": "If-None-Match"
        }
      ],
      "problems": [
        {
          "status": 404,
          "type": "/problems/parcel-not-found"
        }
      ]
    },
    "redirect": {
      "method": "PUT",
      "path": "/parcels/{id}",
      "parameters": [
        {
          "in": "path",
          "name": "id"
        },
        {
          "in": "body",
          "as": "body"
        },
        {
          "in": "header",
          "name": "If-Match"
        }
      ],
      "problems": [
        {
          "status": 404,
          "type": "/problems/parcel-not-found"
        }
      ]
    },
    "follow": {
      "method": "GET",
      "path": "/parcels/{id}/events",
      "parameters": [
        {
          "in": "path",
          "name": "id"
        },
        {
          "in": "header",
          "name": "Last-Event-ID"
        }
      ],
      "events": true,
      "problems": [
        {
          "status": 404,
          "type": "/problems/parcel-not-found"
        }
      ]
    },
    "record": {
      "method": "POST",
      "path": "/parcels/{id}/events",
      "parameters": [
        {
          "in": "path",
          "name": "id"
        },
        {
          "in": "body",
          "as": "body"
        }
      ],
      "problems": [
        {
          "status": 404,
          "type": "/problems/parcel-not-found"
        }
      ]
    }
  },
  "NoteController": {
    "download": {
      "method": "GET",
      "path": "/parcels/{id}/note",
      "parameters": [
        {
          "in": "path",
          "name": "id"
        }
      ],
      "problems": [
        {
          "status": 404,
          "type": "/problems/note-not-found"
        }
      ]
    },
    "upload": {
      "method": "PUT",
      "path": "/parcels/{id}/note",
      "parameters": [
        {
          "in": "path",
          "name": "id"
        },
        {
          "in": "raw",
          "as": "body"
        }
      ],
      "headers": {
        "Content-Type": "application/pdf"
      },
      "problems": [
        {
          "status": 404,
          "type": "/problems/parcel-not-found"
        }
      ]
    }
  }
} as const;

export type Login = { name: string; password: string };

export type LoginFailed = { type: "/problems/login-failed"; title: string; status: 401; detail?: string; instance?: string };

export type NameTaken = { type: "/problems/name-taken"; title: string; status: 409; detail?: string; instance?: string };

export type NewCourier = { name: string; password: string };

export type NewEvent = { type: "picked-up" | "delivered" };

export type NewParcel = { address: string };

export type NoteNotFound = { type: "/problems/note-not-found"; title: string; status: 404; detail?: string; instance?: string };

export type Parcel = { id: number; address: string; status: "announced" | "picked-up" | "delivered"; version: number };

export type ParcelEvent = { id: number; parcel: number; type: "picked-up" | "delivered"; courier: string };

export type ParcelNotFound = { type: "/problems/parcel-not-found"; title: string; status: 404; detail?: string; instance?: string };

export type RefreshToken = { refreshToken: string };

export type Tokens = { accessToken: string; refreshToken: string };

/** The types of what is sent, for the compiler only. */
export type ContractTypes = {
  readonly CourierController: {
    readonly add: { readonly "~types"?: { arguments: { body: NewCourier }; result: undefined; problem: NameTaken } };
  };
  readonly LoginController: {
    readonly login: { readonly "~types"?: { arguments: { body: Login }; result: Tokens; problem: LoginFailed } };
    readonly logout: { readonly "~types"?: { arguments: { body: RefreshToken }; result: undefined; problem: never } };
    readonly refresh: { readonly "~types"?: { arguments: { body: RefreshToken }; result: Tokens; problem: LoginFailed } };
  };
  readonly ParcelController: {
    readonly announce: { readonly "~types"?: { arguments: { body: NewParcel }; result: Parcel; problem: never } };
    readonly get: { readonly "~types"?: { arguments: { id: number; "If-None-Match"?: string }; result: Parcel; problem: ParcelNotFound } };
    readonly redirect: { readonly "~types"?: { arguments: { id: number; body: NewParcel; "If-Match": string }; result: Parcel; problem: ParcelNotFound } };
    readonly follow: { readonly "~types"?: { arguments: { id: number; "Last-Event-ID"?: number }; result: Response; problem: ParcelNotFound } };
    readonly record: { readonly "~types"?: { arguments: { id: number; body: NewEvent }; result: ParcelEvent; problem: ParcelNotFound } };
  };
  readonly NoteController: {
    readonly download: { readonly "~types"?: { arguments: { id: number }; result: Response; problem: NoteNotFound } };
    readonly upload: { readonly "~types"?: { arguments: { id: number; body: Blob | Uint8Array | ReadableStream<Uint8Array> }; result: undefined; problem: ParcelNotFound } };
  };
};

export const contract = operations as typeof operations & ContractTypes;
