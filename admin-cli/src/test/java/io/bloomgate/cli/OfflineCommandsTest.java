package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that need no gateway: settings, feeds on trial, explain from the files. */
class OfflineCommandsTest {

  @TempDir Path folder;

  private String settings(String more) throws IOException {
    return Shell.settings(folder, more);
  }

  @Test
  void validateNamesEveryMistakeAndCounts() throws IOException {
    String file = settings("mod: soft\nlimits: {hops: many, recipients: 5}\n");
    Shell.Result result = Shell.run("config", "validate", file);
    assertEquals(1, result.exitCode());
    assertEquals(
        file
            + ":5:1: unknown key `mod`; did you mean `mode`?\n"
            + file
            + ":6:16: `many` is not a whole number; write for example 1\n"
            + file
            + ":6:34: warning: fewer than 100 recipients, some senders will not split their"
            + " mail; RFC 5321 asks for at least 100\n"
            + "2 errors, 1 warning\n",
        result.out());
    assertEquals("", result.err());
    Shell.Result json = Shell.run("config", "validate", file, "-o", "json");
    assertEquals(1, json.exitCode());
    assertEquals(4, json.out().lines().count());
    assertTrue(json.out().endsWith("\"valid\":false,\"errors\":2,\"warnings\":1}\n"), json.out());
    assertTrue(json.out().startsWith("{\"severity\":\"error\""), json.out());
  }

  @Test
  void validateIsContentWithAGoodFile() throws IOException {
    String file = settings("");
    assertEquals(
        new Shell.Result(0, file + ": no mistakes\n", ""), Shell.run("config", "validate", file));
    assertEquals(0, Shell.run("-c", file, "config", "validate").exitCode());
    assertEquals(2, Shell.run("config", "validate", folder + "/none").exitCode());
    String json = Shell.run("config", "validate", file, "-o", "json").out();
    assertTrue(json.endsWith("\"valid\":true,\"errors\":0,\"warnings\":0}\n"), json);
  }

  @Test
  void showPrintsWhatReadsBack() throws IOException {
    String file = settings("mode: soft\n");
    assertEquals(
        """
        mode: soft
        hostname: mx.example.com
        domains: [example.com]
        state_dir: state
        downstream:
          host: 192.0.2.25
        """,
        Shell.run("-c", file, "config", "show", "--changed").out());
    String origin =
        Shell.run(
                Map.of("BLOOMGATE_MODE", "enforce"),
                "",
                false,
                "-c",
                file,
                "config",
                "show",
                "--origin")
            .out();
    assertTrue(origin.startsWith("mode: enforce   # env BLOOMGATE_MODE\n"), origin);
    assertTrue(origin.contains("  port: 25   # default\n"), origin);
    assertTrue(origin.contains("  host: 192.0.2.25   # " + file + ":4\n"), origin);
    String json = Shell.run("-c", file, "config", "show", "--changed", "-o", "json").out();
    assertTrue(json.startsWith("{\"key\":\"mode\",\"value\":\"soft\",\"changed\":true}\n"), json);
  }

  @Test
  void theDefaultsNeedNoFileAndAreValid() throws IOException {
    Shell.Result defaults = Shell.run("config", "show", "--default");
    assertEquals(0, defaults.exitCode());
    Path file = folder.resolve("complete.yaml");
    Files.writeString(file, defaults.out());
    assertEquals(0, Shell.run("config", "validate", file.toString()).exitCode());
  }

  @Test
  void feedsComeAndGoInTheSettingsFile() throws IOException {
    String comment =
        "# kept\nfeeds:\n  sources:   # mine\n    old: {file: old.txt, checks: [helo]}\n";
    String file = settings(comment);
    String before = Files.readString(Path.of(file));
    Shell.Result added =
        Shell.line(
            "-c %s feeds add new --url https://x.example/a#b --check client_ip,helo --action tag"
                + " --format lines",
            file);
    assertEquals(0, added.exitCode(), added.toString());
    assertEquals(
        before
            + "    new:\n      url: \"https://x.example/a#b\"\n      format: lines\n"
            + "      checks: [client_ip, helo]\n      action: tag\n",
        Files.readString(Path.of(file)));
    assertEquals("", Shell.run("-c", file, "feeds", "add", "spamhaus-drop").err());
    assertEquals(0, Shell.run("config", "validate", file).exitCode());
    String full = Files.readString(Path.of(file));
    for (String[] bad :
        new String[][] {
          {"add", "new", "--url", "https://x.example/"},
          {"add", "other", "--url", "ftp:/x", "--check", "client_ip"},
          {"add", "other", "--url", "https://x.example/", "--check", "nosuch"},
          {"add", "no-such-feed-anywhere"},
          {"remove", "nosuch"}
        }) {
      Shell.Result refused = Shell.run("-c", file, "feeds", bad[0], bad[1], "-q");
      if (bad.length > 2) {
        String[] words = new String[bad.length + 3];
        words[0] = "-c";
        words[1] = file;
        words[2] = "feeds";
        System.arraycopy(bad, 0, words, 3, bad.length);
        refused = Shell.run(words);
      }
      assertTrue(refused.exitCode() > 0, refused.toString());
      assertEquals(full, Files.readString(Path.of(file)), refused.toString());
    }
    assertEquals(0, Shell.run("-c", file, "feeds", "remove", "spamhaus-drop").exitCode());
    assertEquals(0, Shell.run("-c", file, "feeds", "remove", "new").exitCode());
    assertEquals(before, Files.readString(Path.of(file)));
  }

  /** The state directory is the gateway's own: rights for a group would stop the gateway. */
  @Test
  void aStateDirectoryThatMayNotBeReadIsNotOpenedToOthers() throws IOException {
    // A name that leads to itself: not even root can read it.
    Path state = folder.resolve("closed");
    Files.createSymbolicLink(state, state);
    Path settings = folder.resolve("bloomgate.yaml");
    Files.writeString(
        settings,
        "hostname: mx.example.com\ndomains: [example.com]\ndownstream: {host: 127.0.0.1}\n"
            + "state_dir: "
            + state
            + "\n");
    for (String[] words :
        new String[][] {
          {"backup", folder.resolve("b.tar.gz").toString()},
          {"impact"},
          {"sessions", "list", "--offline"},
          {"explain", "192.0.2.1", "--offline"},
          {"feeds", "overlap"}
        }) {
      List<String> asked = new ArrayList<>(List.of("-c", settings.toString()));
      asked.addAll(List.of(words));
      Shell.Result result = Shell.run(asked.toArray(String[]::new));
      assertEquals(5, result.exitCode(), result.err());
      String expected = "you may not read " + state + "; become root or the gateway's user\n";
      assertTrue(result.err().contains(expected), result.err());
    }
  }

  @Test
  void everyErrorIsAnObjectWhereObjectsAreAskedFor() {
    for (String[] words :
        new String[][] {
          {"-o", "json", "config", "show", "-c", folder + "/none"},
          {"nosuch", "-o", "json"},
          {"--output=json", "allow", "add"},
          {"-o", "json", "--timeout", "soon", "status"},
          {"-o", "json", "--socket", folder + "/none", "status"},
          {"-o", "json", "mode", "--for", "1h"},
          {"-o", "json", "feeds", "test", folder + "/none"}
        }) {
      Shell.Result result = Shell.run(words);
      assertTrue(result.exitCode() > 0, result.toString());
      assertEquals(1, result.err().lines().count(), result.toString());
      assertTrue(result.err().startsWith("{\"error\":\""), result.toString());
    }
  }

  @Test
  void feedsAreTestedWithoutSettings() throws IOException {
    Path feed = folder.resolve("feed.txt");
    Files.writeString(feed, "203.0.113.0/24\n198.51.100.7\nnot an address\n");
    Shell.Result result =
        Shell.line("feeds test %s --format ips --query 203.0.113.9 192.0.2.1 -o json", feed);
    assertEquals(0, result.exitCode(), result.err());
    assertTrue(result.out().contains("\"entries\":{\"ipv4\":2,"), result.out());
    assertTrue(result.out().contains("\"invalid\":1"), result.out());
    assertTrue(
        result
            .out()
            .contains(
                "{\"subject\":\"203.0.113.9\",\"listed\":true,\"entry\":\"203.0.113.0/24\",\"line\":1}"),
        result.out());
    Shell.Result human = Shell.run("feeds", "test", feed.toString(), "--query", "192.0.2.1");
    assertTrue(human.out().contains("guard      accept"), human.out());
    assertTrue(human.out().contains("192.0.2.1 is not listed"), human.out());
  }

  @Test
  void queriesComeFromAFileOrStandardInput() throws IOException {
    Path feed = Files.writeString(folder.resolve("f"), "bad.example\n");
    Path queries = Files.writeString(folder.resolve("q"), "a.bad.example\n\nbad.example\n");
    String fromFile =
        Shell.line(
                "feeds test %s --format domains --match suffix --queries %s -o json", feed, queries)
            .out();
    assertTrue(fromFile.contains("{\"subject\":\"a.bad.example\",\"listed\":true"), fromFile);
    String fromInput =
        Shell.run(
                Map.of(),
                "a.bad.example\n",
                false,
                "feeds",
                "test",
                feed.toString(),
                "--format",
                "domains",
                "--queries",
                "-",
                "-o",
                "json")
            .out();
    assertTrue(fromInput.contains("{\"subject\":\"a.bad.example\",\"listed\":false"), fromInput);
  }

  @Test
  void wrongFormatsAndMissingFilesAreNamed() throws IOException {
    Path feed = Files.writeString(folder.resolve("f"), "bad.example\n");
    assertEquals(2, Shell.run("feeds", "test", feed.toString(), "--format", "ipz").exitCode());
    assertEquals(2, Shell.run("feeds", "test", folder + "/none").exitCode());
    assertEquals(
        2, Shell.run("feeds", "test", feed.toString(), "--queries", folder + "/none").exitCode());
    assertTrue(Shell.run("feeds", "formats").out().contains("spamhaus-json"));
  }

  @Test
  void explainFallsBackToTheFilesAndSaysSo() throws IOException {
    String file = settings("");
    Shell.Result result = Shell.run("-c", file, "explain", "203.0.113.7");
    assertEquals(0, result.exitCode(), result.err());
    assertTrue(
        result
            .out()
            .startsWith("203.0.113.7 would pass   mode observe, offline, no lists loaded yet\n"),
        result.out());
    assertTrue(result.err().contains("no gateway answers at"), result.err());
    Shell.Result json = Shell.run("-c", file, "explain", "A.Example", "--offline", "-o", "json");
    assertEquals(0, json.exitCode(), json.err());
    assertTrue(json.out().contains("\"subject\":\"a.example\""), json.out());
    assertTrue(json.out().contains("\"offline\":true"), json.out());
    assertEquals(1, json.out().lines().count());
  }

  @Test
  void explainOfflineRefusesWhatItCannotKnow() throws IOException {
    String file = settings("");
    assertEquals(1, Shell.run("-c", file, "explain", "7K3Q9ZT2AB", "--offline").exitCode());
    assertEquals(2, Shell.run("-c", file, "explain", "a b", "--offline").exitCode());
    Files.writeString(Path.of(file), "mode: soft\n");
    Shell.Result bad = Shell.run("-c", file, "explain", "203.0.113.7", "--offline");
    assertEquals(78, bad.exitCode());
    assertTrue(bad.err().contains("`domains` is missing"), bad.err());
  }

  @Test
  void anImportThatMakesNoSenseIsRefused() throws IOException {
    Path list = Files.writeString(folder.resolve("list"), "spam.example\n");
    assertEquals(2, Shell.run("import", "rspamd", list.toString()).exitCode());
    assertEquals(2, Shell.run("import", "postfix", list.toString(), "--as", "block").exitCode());
    assertEquals(2, Shell.run("import", "sendmail", list.toString()).exitCode());
    assertEquals(2, Shell.run("import", "lines", folder + "/none", "--as", "allow").exitCode());
    Shell.Result recipients =
        Shell.run("import", "lines", list.toString(), "--as", "block", "--kind", "recipient");
    assertEquals(2, recipients.exitCode());
    assertTrue(recipients.err().contains("recipients"), recipients.err());
  }

  @Test
  void feedsTestNamesTheGoodSendersThatAListWouldHit() throws Exception {
    Path list = Files.writeString(folder.resolve("list.txt"), "203.0.113.0/24\nspam.example\n");
    Path good =
        Files.writeString(folder.resolve("good.txt"), "# partners\n203.0.113.7\nfine.example\n");
    Shell.Result human =
        Shell.run("feeds", "test", list.toString(), "--known-good", good.toString());
    assertEquals(0, human.exitCode(), human.err());
    assertTrue(
        human.out().contains("203.0.113.0/24 in line 1 lists 203.0.113.7 (" + good + ":2)"),
        human.out());
    Shell.Result json =
        Shell.run("feeds", "test", list.toString(), "--known-good", good.toString(), "-o", "json");
    assertTrue(
        json.out().contains("\"known_good\":{\"subjects\":1,\"entries\":1,\"sample\":[{\"entry\":"),
        json.out());
    assertFalse(Shell.run("feeds", "test", list.toString()).out().contains("known good"));
    Shell.Result missing =
        Shell.run("feeds", "test", list.toString(), "--known-good", good + ".not");
    assertEquals(2, missing.exitCode());
    assertTrue(missing.err().contains("there is no file"), missing.err());
  }
}
