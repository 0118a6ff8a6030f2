using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "users", worker = .users)],
  sockets = [(name = "http", address = "127.0.0.1:8080", http = (), service = "users")],
);

const users :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "dist/worker.js")],
  compatibilityDate = "2025-09-01",
  bindings = [(name = "SERVER_CONTEXTPATH", text = "/api")],
);
