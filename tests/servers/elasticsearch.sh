#!/usr/bin/env bash
# A real Elasticsearch 8.x or 9.x node out of Maven Central artifacts, on 127.0.0.1: plain http, no security.
#
#   elasticsearch.sh fetch    download and lay out the server (once)
#   elasticsearch.sh start    fetch if needed, start in the background, return when the process is up
#   elasticsearch.sh wait     wait until it answers and is at least yellow
#   elasticsearch.sh stop     stop it by its pid
#   elasticsearch.sh url      print its URL
#
# What it is: the server jar, its libraries and the module transport-netty4, all from Maven Central, on the module path;
# a class (`main_java` below) makes an org.elasticsearch.node.Node. What it is not: the module with GET / (rest-root) is
# not on Maven Central, so that class answers it from the server's own Build; nor are reindex, data-streams,
# ingest-common, analysis-common, lang-painless, mapper-extras, and x-pack's ilm, slm, security: their APIs are absent.
# Entitlements are not switched on (their agent is not on Maven Central either). Of the native libraries only zstd is
# there (the system's), which the codec best_compression needs.
#
# Environment (all optional):
#   ES_VERSION   8.19.21 (Java 17+) or 9.5.3 (Java 21+)         [8.19.21]
#                (others: where transport-netty4 is on Maven Central, from 8.17 on; tried 8.17.2, 8.18.8, 9.0.8, 9.2.2)
#   ES_BASE      where everything lives                         [${XDG_CACHE_HOME:-~/.cache}/elasticsearch-from-maven]
#   ES_RUN_BASE  where what a run writes lives                  [ES_BASE]
#   ES_PORT      HTTP port                                      [9200]
#   ES_HEAP      heap                                           [512m]
#   ES_WAIT      seconds `wait` waits                           [120]
#   ES_KEEP_DATA 1: keep indices from the last run              [empty: start clean]
#   ES_SETTINGS  more lines for elasticsearch.yml
#   ES_MVN_ARGS  more arguments for mvn
#   ES_JAVA_HOME JDK to use                                     [found by version]
#   ES_ZSTD      path of a libzstd.so.1                         [the system's]
set -euo pipefail

CMD=${1:-}
ES_VERSION=${ES_VERSION:-8.19.21}
ES_BASE=${ES_BASE:-${XDG_CACHE_HOME:-$HOME/.cache}/elasticsearch-from-maven}
ES_RUN_BASE=${ES_RUN_BASE:-$ES_BASE}
ES_HEAP=${ES_HEAP:-512m}
ES_WAIT=${ES_WAIT:-120}
PORT=${ES_PORT:-9200}
DEP=org.apache.maven.plugins:maven-dependency-plugin:3.6.1

say() { printf 'elasticsearch.sh: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

case $ES_VERSION in
  8.1[789].*) JAVA_MIN=17 ;;
  9.*) JAVA_MIN=21 ;;
  *) die "no way known to start $ES_VERSION: 8.17 to 8.19 and 9 do" ;;
esac
DIST=$ES_BASE/dist-$ES_VERSION
RUN=$ES_RUN_BASE/run-$ES_VERSION-$PORT
PIDFILE=$RUN/pid
URL=http://127.0.0.1:$PORT

# shellcheck source=tests/servers/install.sh
. "$(dirname "${BASH_SOURCE[0]}")/install.sh"
find_java() {
  # The class below is compiled.
  JDK_TOOL=javac find_jdk "$JAVA_MIN" 99 "${ES_JAVA_HOME:-}" || die "cannot run Elasticsearch $ES_VERSION"
}
unzip_one() { # JAR ENTRY: to standard output, with whatever this machine has
  python3 -c 'import sys,zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))' "$1" "$2" 2>/dev/null \
    || unzip -p "$1" "$2" 2>/dev/null
}

fetch() {
  mkdir -p "$ES_BASE"
  (
  flock 9
  [ -e "$DIST/.complete" ] || fetch_locked
  ) 9>"$ES_BASE/.lock"
}
fetch_locked() {
  local t0=$SECONDS tmp=$DIST.tmp d
  rm -rf "$DIST" "$tmp"; mkdir -p "$tmp/mvn" "$tmp/modules/transport-netty4" "$tmp/main"
  need_maven || die "cannot fetch Elasticsearch $ES_VERSION"
  say "fetching Elasticsearch $ES_VERSION from Maven Central (once)"
  dep() { printf '<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency>' "$1" "$2" "$ES_VERSION"; }
  cat > "$tmp/mvn/pom.xml" <<X
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>local</groupId><artifactId>es</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>$(dep org.elasticsearch elasticsearch)$(dep org.elasticsearch.plugin transport-netty4)</dependencies></project>
X
  # shellcheck disable=SC2086
  mvn -q -B ${ES_MVN_ARGS:-} -f "$tmp/mvn/pom.xml" $DEP:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$tmp/lib" >"$tmp/mvn/log" 2>&1 \
    || { maven_failed "$tmp/mvn/log"; die "cannot fetch Elasticsearch $ES_VERSION, log in $tmp/mvn/log"; }
  d=$tmp/modules/transport-netty4
  mv "$tmp/lib/"netty-*.jar "$tmp/lib/transport-netty4-$ES_VERSION.jar" "$d/"
  unzip_one "$d/transport-netty4-$ES_VERSION.jar" META-INF/es-plugins/transport-netty4/plugin-descriptor.properties > "$d/plugin-descriptor.properties" \
    || cat > "$d/plugin-descriptor.properties" <<X
description=Netty 4 based transport implementation
version=$ES_VERSION
name=transport-netty4
java.version=$JAVA_MIN
elasticsearch.version=$ES_VERSION
classname=org.elasticsearch.transport.netty4.Netty4Plugin
modulename=org.elasticsearch.transport.netty4
X
  main_java > "$tmp/main/EsMain.java"
  "$JH/bin/javac" -nowarn -cp "$tmp/lib/*" -d "$tmp/main" "$tmp/main/EsMain.java" >"$tmp/mvn/javac.log" 2>&1 \
    || { tail -20 "$tmp/mvn/javac.log" >&2; die "javac failed"; }
  rm -rf "$tmp/mvn"; touch "$tmp/.complete"; mv "$tmp" "$DIST"
  say "laid out $DIST ($(du -sh "$DIST" | cut -f1)) in $((SECONDS - t0)) s"
}

main_java() { cat <<'X'
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.elasticsearch.Build;
import org.elasticsearch.cluster.service.ClusterService;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.InternalSettingsPreparer;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsUtils;
import org.elasticsearch.rest.RestController;
import org.elasticsearch.rest.RestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestResponse;
import org.elasticsearch.rest.RestStatus;

/** A node without what bin/elasticsearch does before it: entitlements, native calls, bootstrap checks. */
public class EsMain {
  /** A node with the modules and plugins of its home. What finds them has changed in nearly every minor version. */
  static Node node(Environment env, Path home) throws Exception {
    Path modules = Files.createDirectories(home.resolve("modules")), plugins = Files.createDirectories(home.resolve("plugins"));
    Class<?> loader;
    try {
      loader = Class.forName("org.elasticsearch.plugins.PluginsLoader");
    } catch (ClassNotFoundException e) {
      return Node.class.getConstructor(Environment.class).newInstance(env); // to 8.17
    }
    for (Method m : loader.getMethods()) {
      if (!m.getName().equals("createPluginsLoader") || m.getParameterCount() != 3) continue;
      Object found = m.invoke(null, bundles("getModuleBundles", modules), bundles("getPluginBundles", plugins), Map.of());
      return Node.class.getConstructor(Environment.class, loader).newInstance(env, found);
    }
    throw new NoSuchMethodException("createPluginsLoader");
  }

  static Object bundles(String name, Path dir) throws Exception {
    for (Method m : PluginsUtils.class.getMethods()) {
      if (!m.getName().equals(name)) continue;
      if (m.getParameterCount() == 1) return m.invoke(null, dir); // 8.x
      return m.invoke(null, dir, (Predicate<Object>) x -> true); // 9.5
    }
    throw new NoSuchMethodException(name);
  }

  /** GET / as the module rest-root words it. */
  static String root(Node node) {
    Build b = Build.current();
    ClusterService cluster = node.injector().getInstance(ClusterService.class);
    String lucene = org.apache.lucene.util.Version.LATEST.toString();
    return """
        {
          "name" : "%s",
          "cluster_name" : "%s",
          "cluster_uuid" : "%s",
          "version" : {
            "number" : "%s",
            "build_flavor" : "%s",
            "build_type" : "%s",
            "build_hash" : "%s",
            "build_date" : "%s",
            "build_snapshot" : %s,
            "lucene_version" : "%s",
            "minimum_wire_compatibility_version" : "%s",
            "minimum_index_compatibility_version" : "%s"
          },
          "tagline" : "You Know, for Search"
        }
        """.formatted(node.settings().get("node.name"), node.settings().get("cluster.name"), cluster.state().metadata().clusterUUID(),
        b.qualifiedVersion(), b.flavor(), b.type().displayName(), b.hash(), b.date(), b.isSnapshot(), lucene,
        b.minWireCompatVersion(), b.minIndexCompatVersion());
  }

  public static void main(String[] a) throws Exception {
    Path home = Path.of(System.getProperty("es.path.home"));
    LogConfigurator.configureESLogging();
    Environment env = InternalSettingsPreparer.prepareEnvironment(Settings.EMPTY, Map.of("path.home", home.toString()), home.resolve("config"), () -> "node-1");
    LogConfigurator.configure(env, true);
    Node node = node(env, home);
    RestHandler handler = (request, channel, client) ->
        channel.sendResponse(new RestResponse(RestStatus.OK, "application/json", root(node)));
    RestController rest = node.injector().getInstance(RestController.class);
    for (RestRequest.Method m : List.of(RestRequest.Method.GET, RestRequest.Method.HEAD)) rest.registerHandler(new RestHandler.Route(m, "/"), handler);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      try { node.close(); } catch (Exception e) { e.printStackTrace(); }
    }));
    node.start();
    Thread.currentThread().join();
  }
}
X
}

running() { # a process that is just starting shows its command line a moment later
  local p; p=$(cat "$PIDFILE" 2>/dev/null) && [ -n "$p" ] || return 1
  for _ in $(seq 40); do
    grep -qaF "es.path.home=$RUN" "/proc/$p/cmdline" 2>/dev/null && return
    kill -0 "$p" 2>/dev/null || return 1
    sleep 0.05
  done
  return 1
}

start() {
  JH=$(find_java)
  if running; then say "already running, pid $(cat "$PIDFILE"), $URL"; return; fi
  if (exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null; then die "port $PORT is taken"; fi
  fetch
  mkdir -p "$RUN/config" "$RUN/logs" "$RUN/tmp" "$RUN/plugins"
  [ -n "${ES_KEEP_DATA:-}" ] || rm -rf "$RUN/data"
  rm -rf "$RUN/modules"; mkdir -p "$RUN/data"
  # Real files, not links: the loader reads the module folder of this home.
  cp -al "$DIST/modules" "$RUN/modules" 2>/dev/null || { rm -rf "$RUN/modules"; cp -a "$DIST/modules" "$RUN/modules"; }
  cat > "$RUN/config/elasticsearch.yml" <<X
cluster.name: elasticsearch-test
node.name: node-1
path.data: $RUN/data
path.logs: $RUN/logs
path.repo: ["$RUN/tmp"]
network.host: 127.0.0.1
http.port: $PORT
transport.port: 0
discovery.type: single-node
cluster.routing.allocation.disk.threshold_enabled: false
node.store.allow_mmap: false
action.destructive_requires_name: false
${ES_SETTINGS:-}
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
  # The codec best_compression goes through zstd: the server looks for its own copy, the system's libzstd.so.1 will do.
  local arch=x64 z; [ "$(uname -m)" = aarch64 ] && arch=aarch64
  rm -rf "$RUN/lib"; mkdir -p "$RUN/lib/platform/linux-$arch"
  for z in "${ES_ZSTD:-}" /usr/lib/*-linux-gnu/libzstd.so.1 /usr/lib64/libzstd.so.1 /lib/*-linux-gnu/libzstd.so.1; do
    [ -f "$z" ] || continue
    cp -L "$z" "$RUN/lib/platform/linux-$arch/libzstd.so"; break
  done
  local opts=() major; major=$(java_major "$JH")
  local natives=org.elasticsearch.nativeaccess,org.apache.lucene.core
  case $ES_VERSION in 9.*) ls "$DIST/lib/"elasticsearch-foreign-library-*.jar >/dev/null 2>&1 && natives+=,org.elasticsearch.foreign ;; esac
  [ "$major" -ge 22 ] && opts+=(--enable-native-access="$natives")
  cd "$RUN"
  nohup setsid "$JH/bin/java" -Xms"$ES_HEAP" -Xmx"$ES_HEAP" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto \
    -Djava.io.tmpdir="$RUN/tmp" -Djava.awt.headless=true -Dfile.encoding=UTF-8 \
    -Dio.netty.noUnsafe=true -Dio.netty.noKeySetOptimization=true -Dio.netty.recycler.maxCapacityPerThread=0 \
    -Dlog4j.shutdownHookEnabled=false -Dlog4j2.disable.jmx=true -Dlog4j2.formatMsgNoLookups=true \
    -Dorg.elasticsearch.nativeaccess.enableVectorLibrary=false "${opts[@]}" \
    -Des.path.home="$RUN" -p "$DIST/lib" --add-modules=jdk.net,jdk.management,ALL-MODULE-PATH \
    -cp "$DIST/main" EsMain >"$RUN/logs/console.log" 2>&1 </dev/null &
  echo $! > "$PIDFILE"
  say "started pid $(cat "$PIDFILE"), $URL, log $RUN/logs/console.log"
}
wait_up() {
  local end=$((SECONDS + ES_WAIT)) r=
  while [ $SECONDS -lt $end ]; do
    running || { tail -30 "$RUN/logs/console.log" >&2; die "the server is not running"; }
    r=$(curl -s -m 5 -w '\n%{http_code}' "$URL/_cluster/health?wait_for_status=yellow&timeout=3s" 2>/dev/null || true)
    case $r in *'"timed_out":false'*200) say "up: $URL"; return ;; esac
    sleep 0.5
  done
  tail -30 "$RUN/logs/console.log" >&2; die "not up after $ES_WAIT s: $r"
}
stop() {
  running || { say "not running"; rm -f "$PIDFILE"; return; }
  local p; p=$(cat "$PIDFILE"); kill "$p"
  for _ in $(seq 100); do kill -0 "$p" 2>/dev/null || break; sleep 0.1; done
  kill -0 "$p" 2>/dev/null && kill -9 "$p"
  rm -f "$PIDFILE"; say "stopped pid $p"
}

case $CMD in
  fetch) JH=$(find_java); fetch ;;
  start) start ;;
  wait) wait_up ;;
  stop) stop ;;
  url) echo "$URL" ;;
  *) sed -n '2,/^set -euo/p' "$0" | grep '^#' | sed 's/^# \{0,1\}//'; exit 2 ;;
esac
