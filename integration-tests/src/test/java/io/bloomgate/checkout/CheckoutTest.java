package io.bloomgate.checkout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for the sources as a whole: what lies at their top, and how long a test may take. */
class CheckoutTest {

  private static final Set<String> TOP_LEVEL =
      Set.of(
          "README.md",
          "gateway",
          "blocklists",
          "admin-cli",
          "config",
          "integration-tests",
          "pom.xml");

  private static final String LIMITS = "junit-platform.properties";

  @Test
  void nothingElseLiesAtTheTop() throws IOException, InterruptedException {
    Path root = Checkout.root();
    assumeTrue(Files.exists(root.resolve(".git")), "this is no checkout of git");
    Process git =
        new ProcessBuilder("git", "ls-files", "-z")
            .directory(root.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String files = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assumeTrue(git.waitFor() == 0, "git does not list its files here");
    Set<String> found = new TreeSet<>();
    for (String file : files.split("\0", -1)) {
      String top = file.replaceFirst("/.*", "");
      if (!top.startsWith(".") && !top.isEmpty()) {
        found.add(top);
      }
    }
    assertEquals(new TreeSet<>(TOP_LEVEL), found);
  }

  @Test
  void everyTestHasATimeLimit() throws IOException {
    List<URL> found = Collections.list(CheckoutTest.class.getClassLoader().getResources(LIMITS));
    assertEquals(1, found.size(), "JUnit reads the first of them only: " + found);
    Properties limits = new Properties();
    try (InputStream in = found.getFirst().openStream()) {
      limits.load(in);
    }
    assertEquals("4 m", limits.getProperty("junit.jupiter.execution.timeout.default"));
  }

  /** As the build has just laid it out; alone this module knows nothing of the others. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "config",
        "blocklists/filters",
        "blocklists/feeds",
        "blocklists/fleet",
        "gateway",
        "admin-cli",
        "integration-tests"
      })
  void theTimeLimitIsThatOfEveryModule(String module) {
    Path classes = Checkout.root().resolve(module).resolve("target/test-classes");
    assumeTrue(Files.isDirectory(classes), module + " was not built here");
    assertTrue(Files.exists(classes.resolve(LIMITS)), module + " has no " + LIMITS);
  }
}
