#!/usr/bin/env bash
# A real OpenSearch server out of Maven Central artifacts, on 127.0.0.1.
#
#   opensearch.sh fetch          download and lay out the distribution (once)
#   opensearch.sh start [MODE]   fetch if needed, start in the background, return when the process is up
#   opensearch.sh wait  [MODE]   wait until it answers and is at least yellow
#   opensearch.sh stop  [MODE]   stop it by its pid
#   opensearch.sh url   [MODE]   print its URL
#   opensearch.sh ca             print the path of the CA certificate of secure mode
#
# MODE: plain  (default) http, no security
#       secure           https (self-signed CA, made with openssl) + basic auth, opensearch-security plugin
#
# Environment (all optional):
#   OS_VERSION   2.19.4 (Java 11 to 23) or 3.4.0 (Java 21+)     [2.19.4]
#                (the versions whose security zip is on Maven Central; others: plain mode only, e.g. 3.8.0)
#   OS_BASE      where the distribution lives                   [${XDG_CACHE_HOME:-~/.cache}/opensearch-from-maven]
#   OS_RUN_BASE  where what a run writes lives                  [OS_BASE]
#   OS_PORT      HTTP port                                      [9200 plain, 9201 secure]
#   OS_PASSWORD  password of user "admin" in secure mode        [admin-Passw0rd!]
#   OS_HEAP      heap                                           [512m]
#   OS_WAIT      seconds `wait` waits                           [120]
#   OS_KEEP_DATA 1: keep indices from the last run              [empty: start clean]
#   OS_EXTRA_PLUGINS  paths of more plugin zips, separated by spaces
#   OS_MVN_ARGS  more arguments for mvn
#   OS_JAVA_HOME JDK to use                                     [found by version]
set -euo pipefail

CMD=${1:-}; MODE=${2:-${OS_MODE:-plain}}
OS_VERSION=${OS_VERSION:-2.19.4}
OS_BASE=${OS_BASE:-${XDG_CACHE_HOME:-$HOME/.cache}/opensearch-from-maven}
OS_RUN_BASE=${OS_RUN_BASE:-$OS_BASE}
OS_HEAP=${OS_HEAP:-512m}
OS_PASSWORD=${OS_PASSWORD:-admin-Passw0rd!}
OS_WAIT=${OS_WAIT:-120}
DEP=org.apache.maven.plugins:maven-dependency-plugin:3.6.1

say() { printf 'opensearch.sh: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

case $MODE in plain) PORT=${OS_PORT:-9200}; SCHEME=http ;; secure) PORT=${OS_PORT:-9201}; SCHEME=https ;;
  *) die "unknown mode '$MODE' (plain|secure)" ;; esac
CLASSLOADER=$OS_VERSION
case $OS_VERSION in
  2.*) JAVA_MIN=11; JAVA_MAX=23 ;;   # 2.x installs a SecurityManager: gone from JDK 24 on
  *)   JAVA_MIN=21; JAVA_MAX=99 ;;
esac
LOG4J=2.21.0   # as the log4j-api that the server's POM names
case $OS_VERSION in 3.[5-9].*) LOG4J=2.25.4 ;; esac
case $OS_VERSION in 2.19.[2-5]) CLASSLOADER=2.19.6 ;; esac   # the registry lacks opensearch-plugin-classloader 2.19.2 to 2.19.5
SHARED="transport-netty4-client reindex-client mapper-extras-client parent-join-client aggs-matrix-stats-client"
MODULES="$SHARED analysis-common lang-painless ingest-common"

case $OS_VERSION in 2.19.4 | 3.4.0) PLUGINS="opensearch-security opensearch-job-scheduler" ;; *) PLUGINS= ;; esac
[ -n "$PLUGINS" ] || [ "$MODE" = plain ] || die "no security plugin for $OS_VERSION on Maven Central"

DIST=$OS_BASE/dist-$OS_VERSION
RUN=$OS_RUN_BASE/run-$OS_VERSION-$MODE-$PORT
PIDFILE=$RUN/pid
URL=$SCHEME://127.0.0.1:$PORT

# shellcheck source=tests/servers/install.sh
. "$(dirname "${BASH_SOURCE[0]}")/install.sh"
find_java() { find_jdk "$JAVA_MIN" "$JAVA_MAX" "${OS_JAVA_HOME:-}" || die "cannot run OpenSearch $OS_VERSION"; }
unzip_to() { # ZIP DIR: with whatever this machine has
  mkdir -p "$2"
  if command -v unzip >/dev/null; then unzip -qo "$1" -d "$2"
  else local j; for j in "$JH" /usr/lib/jvm/*; do [ -x "$j/bin/jar" ] && { (cd "$2" && "$j/bin/jar" xf "$1"); return; }; done
       python3 -m zipfile -e "$1" "$2"; fi
}

fetch() {
  mkdir -p "$OS_BASE"
  (
  flock 9
  [ -e "$DIST/.complete" ] || fetch_locked
  ) 9>"$OS_BASE/.lock"
}
fetch_locked() {
  local t0=$SECONDS tmp m jar cls name
  rm -rf "$DIST" "$DIST.tmp"; tmp=$DIST.tmp; mkdir -p "$tmp/mvn"
  need_maven || die "cannot fetch OpenSearch $OS_VERSION"
  say "fetching OpenSearch $OS_VERSION from Maven Central (once)"
  # One Maven reactor: the server, one project per core module, and the plugin zips.
  pom() { # NAME DEPENDENCY-XML...
    mkdir -p "$tmp/mvn/$1"
    cat > "$tmp/mvn/$1/pom.xml" <<X
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>local</groupId><artifactId>$1</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>$2</dependencies></project>
X
  }
  dep() { printf '<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version>%s</dependency>' "$1" "$2" "$3" "${4:-}"; }
  local agent=; case $OS_VERSION in 2.*) ;; *) agent=$(dep org.opensearch opensearch-agent-bootstrap "$OS_VERSION") ;; esac
  pom server "$agent$(dep org.opensearch opensearch "$OS_VERSION")$(dep org.opensearch opensearch-plugin-classloader "$CLASSLOADER")$(dep org.apache.logging.log4j log4j-core "$LOG4J")"
  for m in $MODULES; do pom "$m" "$(dep org.opensearch.plugin "$m" "$OS_VERSION")"; done
  local coll=; [ -z "$agent" ] || coll=$(dep org.apache.commons commons-collections4 4.4)
  pom plugins "$coll$(for m in $PLUGINS; do dep org.opensearch.plugin $m "$OS_VERSION.0" '<type>zip</type>'; done)"
  { echo '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>local</groupId><artifactId>all</artifactId><version>1</version><packaging>pom</packaging><modules>'
    for m in server $MODULES plugins; do echo "<module>$m</module>"; done; echo '</modules></project>'; } > "$tmp/mvn/pom.xml"
  # shellcheck disable=SC2086
  mvn -q -B ${OS_MVN_ARGS:-} -f "$tmp/mvn/pom.xml" $DEP:copy-dependencies -DincludeScope=runtime '-DoutputDirectory=${project.basedir}/out' >"$tmp/mvn/log" 2>&1 \
    || { maven_failed "$tmp/mvn/log"; die "cannot fetch OpenSearch $OS_VERSION, log in $tmp/mvn/log"; }

  mkdir -p "$tmp/lib" "$tmp/modules" "$tmp/plugins"
  cp "$tmp/mvn/server/out/"*.jar "$tmp/lib/"
  for m in $MODULES; do
    name=${m%-client}; mkdir -p "$tmp/modules/$name"
    for jar in "$tmp/mvn/$m/out/"*.jar; do
      [ -e "$tmp/lib/${jar##*/}" ] || cp "$jar" "$tmp/modules/$name/"
    done
    jar=$tmp/modules/$name/$m-$OS_VERSION.jar
    cls=$(list_zip "$jar" | grep -E '/[A-Za-z0-9]*Plugin\.class$' | head -1 | sed 's/\.class$//; s#/#.#g')
    [ -n "$cls" ] || die "no plugin class in $jar"
    cat > "$tmp/modules/$name/plugin-descriptor.properties" <<X
description=$name (assembled from Maven Central)
version=$OS_VERSION
name=$name
classname=$cls
java.version=11
opensearch.version=$OS_VERSION
custom.foldername=
extended.plugins=
has.native.controller=false
X
    echo 'grant { permission java.security.AllPermission; };' > "$tmp/modules/$name/plugin-security.policy"
  done
  for m in "$tmp/mvn/plugins/out/"*.zip; do
    [ -e "$m" ] || continue
    name=${m##*/}; name=${name%-"$OS_VERSION".0.zip}; unzip_to "$m" "$tmp/plugins/$name"
  done
  if [ -n "$agent" ] && [ -n "$PLUGINS" ]; then
    # 3.x: security extends the module rule-framework (workload rules), which is not on Maven Central; without it the
    # plugin works, but it takes commons-collections4 from there.
    sed -i 's/^extended\.plugins=.*/extended.plugins=/' "$tmp/plugins/opensearch-security/plugin-descriptor.properties"
    cp "$tmp/mvn/plugins/out/"commons-collections4-*.jar "$tmp/plugins/opensearch-security/"
  fi
  rm -rf "$tmp/mvn"; touch "$tmp/.complete"; mv "$tmp" "$DIST"
  say "laid out $DIST ($(du -sh "$DIST" | cut -f1)) in $((SECONDS - t0)) s"
}
list_zip() { if command -v unzip >/dev/null; then unzip -Z1 "$1"; else python3 -c 'import sys,zipfile; print("\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))' "$1" 2>/dev/null || "$JH/bin/jar" tf "$1"; fi; }

running() { # a process that is just starting shows its command line a moment later
  local p i; p=$(cat "$PIDFILE" 2>/dev/null) && [ -n "$p" ] || return 1
  for i in $(seq 40); do
    grep -qaF "path.home=$RUN" "/proc/$p/cmdline" 2>/dev/null && return
    kill -0 "$p" 2>/dev/null || return 1
    sleep 0.05
  done
  return 1
}

make_certs() { # DIR: a CA, a node certificate for 127.0.0.1/localhost, an admin client certificate
  local d=$1 n
  [ -s "$d/admin.pem" ] && return
  mkdir -p "$d"; (
  cd "$d"; umask 077
  # Elliptic curves: a signature of RSA took the server as long as the rest of the request.
  local curve=(-newkey ec -pkeyopt ec_paramgen_curve:P-256)
  openssl req -x509 "${curve[@]}" -nodes -days 3650 -sha256 -subj "/O=test/CN=test-ca" -keyout ca-key.pem -out ca.pem
  for n in node admin; do
    openssl req "${curve[@]}" -nodes -sha256 -subj "/O=test/CN=$n" -keyout $n-key.tmp -out $n.csr
    openssl pkcs8 -topk8 -nocrypt -in $n-key.tmp -out $n-key.pem
    printf 'basicConstraints=CA:FALSE\nsubjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n' > $n.ext
    openssl x509 -req -sha256 -days 3650 -in $n.csr -CA ca.pem -CAkey ca-key.pem -CAcreateserial -extfile $n.ext -out $n.pem.tmp
    mv $n.pem.tmp $n.pem
  done
  rm -f ./*.csr ./*.ext ./*.tmp; chmod 644 ca.pem ) >"$d/openssl.log" 2>&1 || { cat "$d/openssl.log" >&2; die "openssl failed"; }
}

start() {
  JH=$(find_java)
  if running; then say "already running, pid $(cat "$PIDFILE"), $URL"; return; fi
  if (exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null; then die "port $PORT is taken"; fi
  fetch
  mkdir -p "$RUN/config" "$RUN/logs" "$RUN/tmp"
  [ -n "${OS_KEEP_DATA:-}" ] || rm -rf "$RUN/data"
  rm -rf "$RUN/lib" "$RUN/modules" "$RUN/plugins"; mkdir -p "$RUN/data" "$RUN/plugins"
  link() { cp -al "$1" "$2" 2>/dev/null || { rm -rf "$2"; cp -a "$1" "$2"; }; }
  link "$DIST/lib" "$RUN/lib"; link "$DIST/modules" "$RUN/modules"
  [ -z "$PLUGINS" ] || link "$DIST/plugins/opensearch-job-scheduler" "$RUN/plugins/opensearch-job-scheduler"
  local z n
  for z in ${OS_EXTRA_PLUGINS:-}; do n=${z##*/}; unzip_to "$z" "$RUN/plugins/${n%-[0-9]*.zip}"; done

  cat > "$RUN/config/opensearch.yml" <<X
cluster.name: opensearch-test
node.name: node-1
path.data: $RUN/data
path.logs: $RUN/logs
path.repo: $RUN/snapshots
network.host: 127.0.0.1
http.port: $PORT
transport.port: 0
discovery.type: single-node
cluster.routing.allocation.disk.threshold_enabled: false
bootstrap.system_call_filter: false
node.store.allow_mmap: false
action.destructive_requires_name: false
X
  cat > "$RUN/config/log4j2.properties" <<'X'
status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = [%d{ISO8601}][%-5p][%c{1.}] %m%n
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
X
  if [ "$MODE" = secure ]; then
    link "$DIST/plugins/opensearch-security" "$RUN/plugins/opensearch-security"
    make_certs "$OS_RUN_BASE/certs"
    rm -rf "$RUN/config/certs" "$RUN/config/opensearch-security"
    cp -a "$OS_RUN_BASE/certs" "$RUN/config/certs"
    cp -a "$DIST/plugins/opensearch-security/config" "$RUN/config/opensearch-security"
    local sum hash; sum=$(printf %s "$OS_PASSWORD" | sha256sum | cut -c1-16); hash=$OS_RUN_BASE/certs/bcrypt-$OS_VERSION-$sum
    if [ ! -s "$hash" ]; then
      OSPW=$OS_PASSWORD "$JH/bin/java" -XX:TieredStopAtLevel=1 -cp "$RUN/plugins/opensearch-security/*:$RUN/lib/*" \
        org.opensearch.security.tools.Hasher -a BCrypt -r 4 -env OSPW 2>/dev/null | grep '^\$2' > "$hash" || die "could not hash the password"
    fi
    cat > "$RUN/config/opensearch-security/internal_users.yml" <<X
_meta:
  type: "internalusers"
  config_version: 2
admin:
  hash: '$(cat "$hash")'
  reserved: true
  backend_roles: ["admin"]
X
    cat >> "$RUN/config/opensearch.yml" <<'X'
plugins.security.ssl.transport.pemcert_filepath: certs/node.pem
plugins.security.ssl.transport.pemkey_filepath: certs/node-key.pem
plugins.security.ssl.transport.pemtrustedcas_filepath: certs/ca.pem
plugins.security.ssl.transport.enforce_hostname_verification: false
plugins.security.ssl.http.enabled: true
plugins.security.ssl.http.pemcert_filepath: certs/node.pem
plugins.security.ssl.http.pemkey_filepath: certs/node-key.pem
plugins.security.ssl.http.pemtrustedcas_filepath: certs/ca.pem
plugins.security.authcz.admin_dn: ["CN=admin,O=test"]
plugins.security.nodes_dn: ["CN=node,O=test"]
plugins.security.allow_default_init_securityindex: true
plugins.security.restapi.roles_enabled: ["all_access", "security_rest_api_access"]
plugins.security.audit.type: noop
plugins.security.password.hashing.bcrypt.rounds: 4
X
  fi

  local opts=()
  case $OS_VERSION in
    2.*) [ "$(java_major "$JH")" -ge 18 ] && opts+=(-Djava.security.manager=allow) ;;
    *) opts+=(--add-modules=jdk.incubator.vector --enable-native-access=ALL-UNNAMED) ;;
  esac
  # JNA that finds no native library cannot ask for the user id, so the server starts as root too (and does without
  # mlock and seccomp, which a test server does not need).
  opts+=(-Djna.nosys=true -Djna.nounpack=true)
  cd "$RUN"
  nohup setsid "$JH/bin/java" -Xms"$OS_HEAP" -Xmx"$OS_HEAP" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto \
    -Djava.io.tmpdir="$RUN/tmp" -Djava.awt.headless=true -Dfile.encoding=UTF-8 \
    -Dio.netty.noUnsafe=true -Dio.netty.noKeySetOptimization=true -Dio.netty.recycler.maxCapacityPerThread=0 \
    -Dio.netty.allocator.numDirectArenas=0 -Dlog4j.shutdownHookEnabled=false -Dlog4j2.disable.jmx=true \
    -Dlog4j2.formatMsgNoLookups=true -Djava.locale.providers=SPI,COMPAT "${opts[@]}" \
    -Dopensearch.path.home="$RUN" -Dopensearch.path.conf="$RUN/config" -Dopensearch.distribution.type=tar \
    -cp "$RUN/lib/*" org.opensearch.bootstrap.OpenSearch >"$RUN/logs/console.log" 2>&1 </dev/null &
  echo $! > "$PIDFILE"
  say "started pid $(cat "$PIDFILE"), $URL, log $RUN/logs/console.log"
}

http() { # PATH: body, then the status on a line of its own
  local a=(-s -m 5 -w '\n%{http_code}')
  [ "$MODE" = secure ] && a+=(--cacert "$OS_RUN_BASE/certs/ca.pem" -u "admin:$OS_PASSWORD")
  curl "${a[@]}" "$URL$1" 2>/dev/null
}
wait_up() {
  local end=$((SECONDS + OS_WAIT)) r
  while [ $SECONDS -lt $end ]; do
    running || { tail -30 "$RUN/logs/console.log" >&2; die "the server is not running"; }
    r=$(http '/_cluster/health?wait_for_status=yellow&timeout=3s' || true)
    case $r in *'"timed_out":false'*200) say "up: $URL"; return ;; esac
    sleep 0.5
  done
  tail -30 "$RUN/logs/console.log" >&2; die "not up after $OS_WAIT s: $r"
}
stop() {
  running || { say "not running"; rm -f "$PIDFILE"; return; }
  local p i; p=$(cat "$PIDFILE"); kill "$p"
  for i in $(seq 100); do kill -0 "$p" 2>/dev/null || break; sleep 0.1; done
  kill -0 "$p" 2>/dev/null && kill -9 "$p"
  rm -f "$PIDFILE"; say "stopped pid $p"
}

case $CMD in
  fetch) JH=$(find_java); fetch ;;
  start) start ;;
  wait) wait_up ;;
  stop) stop ;;
  url) echo "$URL" ;;
  ca) echo "$OS_RUN_BASE/certs/ca.pem" ;;
  *) sed -n '2,/^set -euo/p' "$0" | grep '^#' | sed 's/^# \{0,1\}//'; exit 2 ;;
esac
