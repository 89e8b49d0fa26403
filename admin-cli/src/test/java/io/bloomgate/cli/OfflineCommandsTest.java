package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
    Shell.run("config", "validate", file)
        .exits(1)
        .answers(
            file
                + ":5:1: unknown key `mod`; did you mean `mode`?\n"
                + file
                + ":6:16: `many` is not a whole number; write for example 1\n"
                + file
                + ":6:34: warning: fewer than 100 recipients, some senders will not split their"
                + " mail; RFC 5321 asks for at least 100\n"
                + "2 errors, 1 warning\n")
        .isSilent();
    Shell.Result json = Shell.run("config", "validate", file, "-o", "json").exits(1);
    assertEquals(4, json.out().lines().count());
    assertTrue(json.out().endsWith("\"valid\":false,\"errors\":2,\"warnings\":1}\n"), json.out());
    assertTrue(json.out().startsWith("{\"severity\":\"error\""), json.out());
  }

  @Test
  void validateIsContentWithAGoodFile() throws IOException {
    String file = settings("");
    assertEquals(
        new Shell.Result(0, file + ": no mistakes\n", ""), Shell.run("config", "validate", file));
    Shell.run("-c", file, "config", "validate").exits(0);
    Shell.run("config", "validate", folder + "/none").exits(2);
    String json = Shell.run("config", "validate", file, "-o", "json").out();
    assertTrue(json.endsWith("\"valid\":true,\"errors\":0,\"warnings\":0}\n"), json);
  }

  @Test
  void showNamesTheOriginOfEachValue() throws IOException {
    String file = settings("mode: soft\n");
    String[] words = {"-c", file, "config", "show", "--origin"};
    String origin = Shell.run(Map.of("BLOOMGATE_MODE", "enforce"), "", false, words).out();
    assertTrue(origin.startsWith("mode: enforce   # env BLOOMGATE_MODE\n"), origin);
    Shell.assertHas(origin, "  port: 25   # default\n", "  host: 192.0.2.25   # " + file + ":4\n");
  }

  @Test
  void theDefaultsNeedNoFileAndAreValid() throws IOException {
    Shell.Result defaults = Shell.run("config", "show", "--default").exits(0);
    Path file = folder.resolve("complete.yaml");
    Files.writeString(file, defaults.out());
    Shell.run("config", "validate", file.toString()).exits(0);
  }

  @Test
  void feedsComeAndGoInTheSettingsFile() throws IOException {
    String comment =
        "# kept\nfeeds:\n  sources:   # mine\n    old: {file: old.txt, checks: [helo]}\n";
    String file = settings(comment);
    String before = Files.readString(Path.of(file));
    Shell.line(
            "-c %s feeds add new --url https://x.example/a#b --check client_ip,helo --action tag"
                + " --format lines",
            file)
        .exits(0);
    assertEquals(
        before
            + "    new:\n      url: \"https://x.example/a#b\"\n      format: lines\n"
            + "      checks: [client_ip, helo]\n      action: tag\n",
        Files.readString(Path.of(file)));
    assertEquals("", Shell.run("-c", file, "feeds", "add", "spamhaus-drop").err());
    Shell.run("config", "validate", file).exits(0);
    String full = Files.readString(Path.of(file));
    for (String bad :
        List.of(
            "add new --url https://x.example/",
            "add other --url ftp:/x --check client_ip",
            "add other --url https://x.example/ --check nosuch",
            "add no-such-feed-anywhere",
            "remove nosuch")) {
      Shell.Result refused = Shell.line("-c %s feeds " + bad, file);
      assertTrue(refused.exitCode() > 0, refused.toString());
      assertEquals(full, Files.readString(Path.of(file)), refused.toString());
    }
    Shell.run("-c", file, "feeds", "remove", "spamhaus-drop").exits(0);
    Shell.run("-c", file, "feeds", "remove", "new").exits(0);
    assertEquals(before, Files.readString(Path.of(file)));
  }

  /** The state directory is the gateway's own: rights for a group would stop the gateway. */
  @Test
  void aStateDirectoryThatMayNotBeReadIsNotOpenedToOthers() throws IOException {
    // A name that leads to itself: not even root can read it.
    Path state = folder.resolve("closed");
    Files.createSymbolicLink(state, state);
    String settings = settings("");
    Files.writeString(
        Path.of(settings), Files.readString(Path.of(settings)).replace(": state", ": " + state));
    for (String words :
        List.of(
            "backup b.tar.gz",
            "impact",
            "sessions list --offline",
            "explain 192.0.2.1 --offline",
            "feeds overlap")) {
      Shell.line("-c %s " + words, settings)
          .fails(5, "you may not read " + state + "; become root or the gateway's user\n");
    }
  }

  @Test
  void everyErrorIsAnObjectWhereObjectsAreAskedFor() {
    for (String words :
        List.of(
            "-o json config show -c /none/none",
            "nosuch -o json",
            "--output=json allow add",
            "-o json --timeout soon status",
            "-o json --socket /none/none status",
            "-o json mode --for 1h",
            "-o json feeds test /none/none")) {
      Shell.Result result = Shell.run(words.split(" "));
      assertTrue(result.exitCode() > 0, result.toString());
      assertEquals(1, result.err().lines().count(), result.toString());
      assertTrue(result.err().startsWith("{\"error\":\""), result.toString());
    }
  }

  @Test
  void feedsAreTestedWithoutSettings() throws IOException {
    Path feed = Files.writeString(folder.resolve("f"), "203.0.113.0/24\nnot an address\n");
    Shell.line("feeds test %s --format ips --query 203.0.113.9 192.0.2.1 -o json", feed)
        .ends(
            0,
            "\"invalid\":1",
            "{\"subject\":\"203.0.113.9\",\"listed\":true,\"entry\":\"203.0.113.0/24\",\"line\":1}");
    Path names = Files.writeString(folder.resolve("names"), "bad.example\n");
    String[] asking = {"feeds", "test", names.toString(), "--queries", "-", "--match", "suffix"};
    Shell.piped("a.bad.example\n", asking).prints("a.bad.example is listed");
    Shell.piped("a.bad.example\n", Arrays.copyOf(asking, 5)).prints("a.bad.example is not listed");
    Shell.line("feeds test %s --format ipz", feed).exits(2);
    Shell.line("feeds test %s/none", folder).exits(2);
    Shell.line("feeds test %s --queries /none/none", feed).exits(2);
  }

  @Test
  void explainOfflineRefusesWhatItCannotKnow() throws IOException {
    String file = settings("");
    Shell.run("-c", file, "explain", "7K3Q9ZT2AB", "--offline").exits(1);
    Shell.run("-c", file, "explain", "a b", "--offline").exits(2);
    Files.writeString(Path.of(file), "mode: soft\n");
    Shell.run("-c", file, "explain", "203.0.113.7", "--offline").fails(78, "`domains` is missing");
  }

  @Test
  void anImportThatMakesNoSenseIsRefused() throws IOException {
    Path list = Files.writeString(folder.resolve("list"), "spam.example\n");
    Shell.run("import", "rspamd", list.toString()).exits(2);
    Shell.run("import", "postfix", list.toString(), "--as", "block").exits(2);
    Shell.run("import", "sendmail", list.toString()).exits(2);
    Shell.run("import", "lines", folder + "/none", "--as", "allow").exits(2);
    Shell.run("import", "lines", list.toString(), "--as", "block", "--kind", "recipient")
        .fails(2, "recipients");
  }

  @Test
  void feedsTestNamesTheGoodSendersThatAListWouldHit() throws Exception {
    Path list = Files.writeString(folder.resolve("list.txt"), "203.0.113.0/24\nspam.example\n");
    Path good =
        Files.writeString(folder.resolve("good.txt"), "# partners\n203.0.113.7\nfine.example\n");
    Shell.run("feeds", "test", list.toString(), "--known-good", good.toString())
        .ends(0, "203.0.113.0/24 in line 1 lists 203.0.113.7 (" + good + ":2)");
    Shell.run("feeds", "test", list.toString(), "--known-good", good.toString(), "-o", "json")
        .prints("\"known_good\":{\"subjects\":1,\"entries\":1,\"sample\":[{\"entry\":");
    assertFalse(Shell.run("feeds", "test", list.toString()).out().contains("known good"));
    Shell.run("feeds", "test", list.toString(), "--known-good", good + ".not")
        .fails(2, "there is no file");
  }
}
