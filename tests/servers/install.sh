# For the scripts beside this file, which source it: what they need from Debian, and a JDK in a range of versions.

# apt_install PACKAGE...: as root on Debian; one script at a time, as several start at once and apt's lock does not wait.
apt_install() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  (
    flock 9
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends \
      -o DPkg::Lock::Timeout=300 "$@"; } >"/tmp/irori-apt-$$.log" 2>&1 || { grep -m1 '^E:' "/tmp/irori-apt-$$.log" >&2; rm -f "/tmp/irori-apt-$$.log"; exit 1; }
    rm -f "/tmp/irori-apt-$$.log"
  ) 9>"/tmp/irori-apt-$UID.lock"
}

java_major() { "$1/bin/java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -1; }

# installed_jdk MIN MAX CANDIDATE...: prints the home of the first JDK in the range that has $JDK_TOOL [java].
installed_jdk() {
  local min=$1 max=$2 home major name homes=(); shift 2
  for name in "${!JAVA_HOME@}"; do homes+=("${!name}"); done # also JAVA_HOME_21_X64, as CI has it
  for home in "$@" "${homes[@]}" "${IRORI_JVM_DIR:-/usr/lib/jvm}"/*; do
    [ -n "$home" ] && [ -x "$home/bin/${JDK_TOOL:-java}" ] || continue
    major=$(java_major "$home")
    if [ -n "$major" ] && [ "$major" -ge "$min" ] && [ "$major" -le "$max" ]; then printf %s "$home"; return; fi
  done
  return 1
}

# find_jdk MIN MAX CANDIDATE...: the same, and where there is none it installs Debian's; fails with one sentence.
find_jdk() {
  local min=$1 max=$2 major advised
  installed_jdk "$@" && return
  for major in 17 21 25; do
    [ "$major" -ge "$min" ] && [ "$major" -le "$max" ] || continue
    advised=${advised:-$major}
    apt_install "openjdk-$major-jdk-headless" 2>/dev/null || continue
    installed_jdk "$@" && return
  done
  [ "$max" -lt 99 ] && max=" to $max" || max=" or newer"
  local why='Debian has no package of one here'
  [ "$(id -u)" = 0 ] || why='only root can install a package'
  echo "Found no JDK $min$max in JAVA_HOME* or /usr/lib/jvm, and $why: install Temurin $advised" >&2
  return 1
}

need_maven() { command -v mvn >/dev/null || apt_install maven || { echo "Found no Maven: install the package 'maven' as root" >&2; return 1; }; }

# maven_failed LOG: one line on what Maven could not do.
maven_failed() { echo "Maven could not download it. Is there a network? $(grep -m1 -o 'ERROR\] .*' "$1" | cut -c 8-250)" >&2; }
