package io.bloomgate.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.checkout.Checkout;
import io.bloomgate.launcher.Sandbox.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real launcher, laid out as a package, with a cache that a real Java made of one command. */
class AotCacheTest {

  @TempDir Path folder;
  private Path launcher;
  private Path cache;

  @BeforeEach
  void layOut() throws Exception {
    Path admin = Checkout.root().resolve("admin-cli/target");
    Path jar = admin.resolve("bloomgate-admin-cli.jar");
    Assumptions.assumeTrue(Files.exists(jar), "the jars are not built");
    Path lib = Files.createDirectories(folder.resolve("usr/lib/bloomgate/cli"));
    Files.copy(jar, lib.resolve(jar.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
    try (Stream<Path> jars = Files.list(admin.resolve("lib"))) {
      for (Path library : jars.toList()) {
        Files.copy(library, lib.resolve(library.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    launcher = Files.createDirectories(folder.resolve("usr/bin")).resolve("bloomgate");
    Files.copy(
        Checkout.root().resolve("gateway/bin/bloomgate"),
        launcher,
        StandardCopyOption.COPY_ATTRIBUTES);
    cache = lib.resolveSibling("cli.aot");
    version("-XX:AOTCacheOutput=" + cache);
    Assumptions.assumeTrue(Files.exists(cache), "this Java makes no AOT cache");
  }

  @Test
  void classesComeFromTheCache() throws Exception {
    Path loaded = folder.resolve("loaded");
    version("-Xlog:class+load:file=" + loaded);
    List<String> own =
        Files.readAllLines(loaded).stream().filter(line -> line.contains("BloomgateCli ")).toList();
    assertEquals(1, own.size(), own::toString);
    assertTrue(own.getFirst().contains("shared objects file"), own::toString);
  }

  /** Cut off, of another program, not a cache at all: it costs time, and nothing is said. */
  @Test
  void aCacheThatDoesNotFitIsNobodysTrouble() throws Exception {
    Outcome good = version("");
    byte[] whole = Files.readAllBytes(cache);
    byte[] broken = whole.clone();
    Arrays.fill(broken, 64, 512, (byte) 0x5a);
    List<byte[]> others =
        List.of(
            broken,
            Arrays.copyOf(whole, whole.length / 2),
            "no cache\n".getBytes(UTF_8),
            new byte[0]);
    for (byte[] other : others) {
      Files.write(cache, other);
      assertEquals(good, version(""), () -> other.length + " octets");
    }
    Files.write(cache, whole);
    assertEquals(good, version("-XX:-UseCompressedOops"), "made with other options");
    Files.delete(library("xz-"));
    assertEquals(good, version(""), "made for another class path");
  }

  private Path library(String prefix) throws IOException {
    try (Stream<Path> jars = Files.list(folder.resolve("usr/lib/bloomgate/cli"))) {
      return jars.filter(jar -> jar.getFileName().toString().startsWith(prefix))
          .findFirst()
          .orElseThrow();
    }
  }

  private Outcome version(String options) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(launcher.toString(), "version");
    builder.environment().put("BLOOMGATE_CLI_JAVA_OPTS", options);
    Outcome outcome = Sandbox.finish(builder.start());
    if (!options.contains("AOTCacheOutput")) {
      assertEquals(0, outcome.exit(), outcome::toString);
      assertEquals(List.of(), outcome.err());
    }
    return outcome;
  }
}
