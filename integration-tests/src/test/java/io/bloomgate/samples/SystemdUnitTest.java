package io.bloomgate.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.checkout.Checkout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds the shipped unit to what the gateway does under it. */
class SystemdUnitTest {
  private static final Path UNIT = Checkout.root().resolve("config/systemd/bloomgate.service");

  /** Of `systemd-analyze syscall-filter`: the groups that the unit names, as far as asked here. */
  private static final Map<String, Set<String>> GROUPS =
      Map.of(
          "@system-service", Set.of("nice", "setpriority", "setrlimit", "chown", "sendfile"),
          "@privileged", Set.of("chown", "setuid"),
          "@resources", Set.of("nice", "setpriority", "setrlimit"));

  private static final Path ANALYZE = Path.of("/usr/bin/systemd-analyze");
  private static final Pattern EXPOSURE = Pattern.compile("exposure level [^:]*: ([0-9.]+)");

  /** As systemd itself judges it, without running it. */
  @Test
  void theExposureIsSmall() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(ANALYZE), "systemd-analyze is not installed");
    Process process =
        new ProcessBuilder(
                ANALYZE.toString(), "security", "--offline=true", "--no-pager", UNIT.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher level = EXPOSURE.matcher(said);
    assumeTrue(process.waitFor() == 0 && level.find(), "this systemd judges no files");
    assertTrue(Double.parseDouble(level.group(1)) <= 1.4, said);
  }

  @Test
  void theGatewayMaySendFilesAndLimitNothing() throws IOException {
    Set<String> allowed = allowedCalls();
    assertFalse(allowed.contains("setpriority"), allowed.toString());
    assertTrue(allowed.contains("sendfile"), allowed.toString());
    assertFalse(allowed.contains("setrlimit"), allowed.toString());
    assertFalse(allowed.contains("chown"), allowed.toString());
  }

  /** systemd.exec(5): the first line says what the list is, each next one adds or takes away. */
  private static Set<String> allowedCalls() throws IOException {
    List<String> lines = values("SystemCallFilter");
    assertFalse(lines.getFirst().startsWith("~"), "the filter must begin with what is allowed");
    Set<String> allowed = new HashSet<>();
    for (String line : lines) {
      boolean taken = line.startsWith("~");
      for (String word : line.substring(taken ? 1 : 0).strip().split(" +", -1)) {
        assertTrue(!word.startsWith("@") || GROUPS.containsKey(word), "unknown here: " + word);
        Set<String> calls = GROUPS.getOrDefault(word, Set.of(word));
        if (taken) {
          allowed.removeAll(calls);
        } else {
          allowed.addAll(calls);
        }
      }
    }
    return allowed;
  }

  @Test
  void itNeedsTheCapabilityForPort25AndNoOther() throws IOException {
    assertEquals(List.of("CAP_NET_BIND_SERVICE"), values("AmbientCapabilities"));
    assertEquals(List.of("CAP_NET_BIND_SERVICE"), values("CapabilityBoundingSet"));
  }

  private static List<String> values(String name) throws IOException {
    return Files.readAllLines(UNIT).stream()
        .filter(line -> line.startsWith(name + "="))
        .map(line -> line.substring(name.length() + 1))
        .toList();
  }
}
