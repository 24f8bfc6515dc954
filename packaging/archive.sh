#!/bin/sh
# Packs a release: the program, its manual pages, completion scripts and documents, and the files for systemd.
#   packaging/archive.sh PROGRAM OUT.tar.gz
# Unpack it with: tar -C /usr/local --strip-components=1 -xzf OUT.tar.gz
# The same program and files give the same bytes. SOURCE_DATE_EPOCH is the time of the files [default: that of the commit].
set -eu
if [ $# -ne 2 ]; then
    echo "usage: packaging/archive.sh PROGRAM OUT.tar.gz" >&2
    exit 2
fi
program=$1
out=$2
root=$(cd "$(dirname "$0")/.." && pwd)
version=$("$program" --version | cut -d ' ' -f 2)
time=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

folder=$work/paigow-$version
share=$folder/share
install -D -m 755 "$program" "$folder/bin/paigow"
"$program" man --out "$share/man/man1" > /dev/null
mkdir -p "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
"$program" completions bash > "$share/bash-completion/completions/paigow"
"$program" completions zsh > "$share/zsh/site-functions/_paigow"
"$program" completions fish > "$share/fish/vendor_completions.d/paigow.fish"
install -D -m 644 -t "$share/doc/paigow" "$root"/README.md "$root"/CHANGELOG.md "$root"/LICENSE-* "$root"/docs/*.md
for file in paigow.service paigow-https.conf paigow.toml prometheus-alerts.yaml grafana-dashboard.json; do
    install -D -m 644 -t "$share/paigow" "$root/packaging/$file"
done

tar -C "$work" --sort=name --mtime="@$time" --owner=0 --group=0 --numeric-owner -cf "$work/archive.tar" "paigow-$version"
gzip -9 -n "$work/archive.tar"
mv "$work/archive.tar.gz" "$out"
