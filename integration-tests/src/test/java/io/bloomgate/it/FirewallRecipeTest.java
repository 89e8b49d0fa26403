package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The lines for the firewall in config/recipes.md, between three machines that are network
 * namespaces: the mail server at 10.0.0.5, the gateway at 10.0.0.2, a stranger at 10.0.0.9. Nobody
 * listens, so what passes the firewall is refused by the system at once.
 */
class FirewallRecipeTest {

  private static final String TITLE = "Postfix on another machine";
  private static final int NO_NAMESPACES = 99;

  private static final String SCRIPT =
      """
      set -u
      mount -t tmpfs tmpfs /run || exit 99
      set -e
      ip addr add 10.0.0.5/32 dev lo
      ip link set lo up
      near() {
        ip netns add "$1"
        ip link add "to-$1" type veth peer name eth0 netns "$1"
        ip link set "to-$1" up
        ip route add "$2" dev "to-$1"
        ip -n "$1" addr add "$2/32" dev eth0
        ip -n "$1" link set eth0 up
        ip -n "$1" route add 10.0.0.5 dev eth0
      }
      near gateway 10.0.0.2 || exit 99
      near stranger 10.0.0.9
      nft -f "$1"
      for who in gateway stranger; do
        for port in 25 10025 587; do
          said=$(ip netns exec $who timeout 1 bash -c ": </dev/tcp/10.0.0.5/$port" 2>&1 || true)
          case $said in
            *refused*) echo $who $port passes ;;
            *) echo $who $port dropped ;;
          esac
        done
      done
      """;

  @TempDir Path folder;

  @Test
  void onlyTheGatewayReachesThePortsOfMail() throws IOException, InterruptedException {
    for (String program : List.of("/usr/bin/unshare", "/usr/sbin/nft", "/usr/sbin/ip")) {
      assumeTrue(Files.isExecutable(Path.of(program)), program + " is not installed");
    }
    assumeTrue("root".equals(System.getProperty("user.name")), "namespaces are made by root only");
    Path rules =
        Files.writeString(
            folder.resolve("nftables.conf"), RecipePage.load().lines(TITLE, "/etc/nftables.conf"));
    Path script = Files.writeString(folder.resolve("machines.sh"), SCRIPT);
    Path output = folder.resolve("output");
    int exit =
        new ProcessBuilder(
                "/usr/bin/unshare", "--net", "--mount", "sh", script.toString(), rules.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start()
            .waitFor();
    assumeTrue(exit != NO_NAMESPACES, "this system does not let root make network namespaces");
    assertEquals(
        """
        gateway 25 passes
        gateway 10025 passes
        gateway 587 passes
        stranger 25 dropped
        stranger 10025 dropped
        stranger 587 passes
        """,
        Files.readString(output));
  }
}
