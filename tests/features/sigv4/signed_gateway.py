"""Signature Version 4 by botocore: checks lists of requests, or stands before a search cluster as Amazon's gateway does."""

import datetime
import http.client
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials


def signature_of(keys, region, method, url, headers, body):
    """What the signature has to be, and the texts that it is made of."""
    request = AWSRequest(method=method, url=url, headers=headers, data=body)
    request.context["timestamp"] = headers["x-amz-date"]
    credentials = Credentials(keys["accessKeyId"], keys["secretAccessKey"], keys.get("sessionToken"))
    signer = SigV4Auth(credentials, "es", region)
    canonical = signer.canonical_request(request)
    return signer.signature(signer.string_to_sign(request, canonical), request), canonical


def parts_of(authorization):
    """The access key id, the scope, the names of the signed headers and the signature."""
    algorithm, _, rest = authorization.partition(" ")
    if algorithm != "AWS4-HMAC-SHA256":
        raise ValueError(algorithm)
    fields = dict(part.strip().split("=", 1) for part in rest.split(","))
    key, *scope = fields["Credential"].split("/")
    return key, scope, fields["SignedHeaders"].split(";"), fields["Signature"]


class Gateway(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        refusal = self.refusal(body)
        if refusal is not None:
            return self.reply(403, [("Content-Type", "application/json")], json.dumps(refusal).encode())
        connection = http.client.HTTPConnection(self.server.target, timeout=60)
        passed = {name: value for name, value in self.headers.items() if name.lower() in PASSED}
        connection.request(self.command, self.path, body=body or None, headers=passed)
        response = connection.getresponse()
        text = response.read()
        self.reply(response.status, [("Content-Type", response.headers.get("Content-Type", ""))], text)
        connection.close()

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = answer

    def refusal(self, body):
        """In the words of Amazon; nothing where the request is as it was signed."""
        authorization = self.headers.get("Authorization")
        if authorization is None:
            return {"Message": f"User: anonymous is not authorized to perform: es:ESHttp{self.command.title()}"}
        key, (date, region, service, last), signed, signature = parts_of(authorization)
        keys = next((keys for keys in self.server.keys if keys["accessKeyId"] == key), None)
        if keys is None or keys.get("sessionToken") != self.headers.get("X-Amz-Security-Token"):
            return {"message": "The security token included in the request is invalid."}
        if (region, service, last) != (self.server.region, "es", "aws4_request"):
            return {"message": f"Credential should be scoped to a valid region, not '{region}'. "}
        sent = self.headers.get("X-Amz-Date") or ""
        now = datetime.datetime.now(datetime.timezone.utc)
        at = datetime.datetime.strptime(sent, FORMAT).replace(tzinfo=datetime.timezone.utc)
        five = datetime.timedelta(minutes=5)
        if not sent.startswith(date) or at < now - five:
            return {"message": f"Signature expired: {sent} is now earlier than {(now - five).strftime(FORMAT)} "
                               f"({now.strftime(FORMAT)} - 5 min.)"}
        if at > now + five:
            return {"message": f"Signature not yet current: {sent} is still later than {(now + five).strftime(FORMAT)} "
                               f"({now.strftime(FORMAT)} + 5 min.)"}
        must = {"host", "x-amz-date"} | {name.lower() for name in self.headers if name.lower() in MUST}
        headers = {name: self.headers[name] for name in signed}
        url = f"http://{self.headers['Host']}{self.path}"
        expected, canonical = signature_of(keys, region, self.command, url, headers, body)
        if expected == signature and must <= set(signed):
            return None
        return {"message": "The request signature we calculated does not match the signature you provided. Check your "
                           "AWS Secret Access Key and signing method. Consult the service documentation for details."
                           f"\n\nThe Canonical String for this request should have been\n'{canonical}'\n"}

    def reply(self, status, headers, body):
        self.send_response(status)
        for name, value in headers:
            if value:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_):
        pass


FORMAT = "%Y%m%dT%H%M%SZ"
MUST = {"content-type", "x-amz-security-token"}
PASSED = {"accept", "content-type", "x-opaque-id"}


def serve(options):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Gateway)
    server.daemon_threads = True
    server.target = urlsplit(options["target"]).netloc
    server.keys = options["keys"]
    server.region = options["region"]
    print(server.server_address[1], flush=True)
    server.serve_forever()


def check(options):
    """For each request what its signature has to be."""
    signatures = []
    for request in options["requests"]:
        _, _, signed, _ = parts_of(request["headers"]["authorization"])
        headers = {name: request["headers"][name] for name in signed if name != "host"}
        headers["host"] = urlsplit(request["url"]).netloc
        body = request.get("body")
        data = None if body is None else body.encode("utf-8", "surrogatepass")
        signature, _ = signature_of(
            options["keys"], options["region"], request["method"], request["url"], headers, data
        )
        signatures.append(signature)
    print(json.dumps(signatures))


if __name__ == "__main__":
    {"serve": serve, "check": check}[sys.argv[1]](json.loads(sys.stdin.readline()))
