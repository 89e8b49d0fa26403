package io.bloomgate.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.workbench.WorkbenchTools;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Making filter files of lists and of other filters, with no gateway and no settings. */
class FilterBuildTest extends FilterCase {

  private static final int KEYS = 2000;

  @BeforeEach
  void writeKeys() throws IOException {
    writeList(String.join("\n", keys("a")) + "\n");
  }

  /** Names that nobody else makes. */
  private static List<String> keys(String tag) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      keys.add("host" + i + "." + tag + ".example");
    }
    return keys;
  }

  @Test
  void scriptsGetOneObject() {
    Shell.Result result = build("f", "--output", "json").exits(0);
    assertEquals(1, result.out().lines().count());
    assertTrue(
        result.out().startsWith("{\"kind\":\"split-block\",\"version\":1,\"entries\":2000,"),
        result.out());
    for (String member :
        List.of(
            "\"capacity\":2000,",
            "\"asked_fpp\":0.001,",
            "\"checksum\":\"ok\",",
            "\"probes\":1000000,",
            "\"invalid\":0,",
            "\"lists\":[{\"source\":\"" + list + "\",\"format\":\"domains\",\"lines\":2000,")) {
      assertTrue(result.out().contains(member), member + " in " + result.out());
    }
    double measured = number(result.out(), "measured_fpp");
    assertTrue(measured > 0.0005 && measured < 0.0015, "measured " + measured);
  }

  private static double number(String json, String member) {
    String rest = json.substring(json.indexOf("\"" + member + "\":") + member.length() + 3);
    return Double.parseDouble(rest.substring(0, rest.indexOf(',')));
  }

  @Test
  void theFormatOfTheAnswerMayBeBeforeTheCommandToo() {
    Shell.Result result =
        Shell.run("-o", "json", "filter", "build", list.toString(), "-o", at("json")).exits(0);
    assertTrue(result.out().startsWith("{\"kind\""), result.out());
    assertTrue(Files.exists(folder.resolve("json")), "the second -o is the file");
  }

  @ParameterizedTest
  @EnumSource(FilterKind.class)
  void everyKindHoldsItsKeysAndIsRead(FilterKind kind) throws IOException {
    Path good = Files.writeString(folder.resolve("good"), String.join("\n", keys("good")));
    boolean cascade = kind == FilterKind.CASCADE;
    String[] more = {"--kind", kind.word(), "--known-good", good.toString()};
    String[] asked = cascade ? more : Arrays.copyOf(more, 2);
    build("f", asked).ends(0, ": " + kind.word() + " filter", "entries    2,000 of ");
    assertLittleMemoryMakesTheSame(asked);
    run("verify", at("f")).exits(0);
    assertTrue(
        run("inspect", at("f"), "-o", "json")
            .out()
            .startsWith("{\"kind\":\"" + kind.word() + "\","));
    String[] query = new String[KEYS + 3];
    query[0] = "filter";
    query[1] = "query";
    query[2] = at("f");
    System.arraycopy(keys("a").toArray(), 0, query, 3, KEYS);
    assertEquals(0, Shell.run(query).exitCode(), "every listed key may be inside");
    if (cascade) {
      System.arraycopy(keys("good").toArray(), 0, query, 3, KEYS);
      Shell.Result none = Shell.run(query).exits(1);
      assertFalse(none.out().contains("maybe"), "no known-good key hits");
    }
  }

  /** The first hashes that no longer fit go to a file; the filter is the same, octet for octet. */
  private void assertLittleMemoryMakesTheSame(String... asked) throws IOException {
    WorkbenchTools little =
        new WorkbenchTools(() -> new SplittableRandom(Shell.SEED), () -> 0, 24 * (KEYS / 20));
    List<String> words = new ArrayList<>(List.of("filter", "build", list.toString()));
    words.addAll(List.of(asked));
    words.addAll(List.of("-o", at("little")));
    Shell.with(little, words.toArray(String[]::new)).exits(0);
    assertArrayEquals(
        Files.readAllBytes(folder.resolve("f")), Files.readAllBytes(folder.resolve("little")));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(0, files.filter(f -> f.getFileName().toString().startsWith(".")).count());
    }
  }

  @Test
  void aKindWithoutARateTakesTheLowestItHas() {
    build("f", "--kind", "fuse8").prints("asked      0.391 %");
  }

  @Test
  void aKindThatDoesNotReachTheRateNamesThoseThatDo() {
    Shell.Result result = build("f", "--kind", "fuse8", "--fpp", "0.001");
    assertFails(2, "kinds that reach it: ", result);
    for (String able : List.of("split-block", "classic", "fuse16", "cuckoo")) {
      result.complains(able);
    }
    assertFails(2, "no kind reaches it", build("f", "--fpp", "1e-300"));
    assertTrue(Files.notExists(folder.resolve("f")));
  }

  @Test
  void aClassicFilterIsSizedByBitsToo() {
    Shell.Result result = build("f", "--bits-per-entry", "10", "--output", "json").exits(0);
    assertTrue(result.out().startsWith("{\"kind\":\"classic\""), result.out());
    assertEquals(10, number(result.out(), "bits_per_entry"), 0.1);
    assertEquals(7, number(result.out(), "hashes"), "10 ln 2");
    assertEquals(0.0082, number(result.out(), "measured_fpp"), 0.002);
  }

  @Test
  void theSameListInOtherFormatsAnswersAlike() throws IOException {
    Path hosts = folder.resolve("hosts.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(hosts))) {
      for (String key : keys("a")) {
        out.write(("0.0.0.0 " + key.toUpperCase(Locale.ROOT) + "\r\n").getBytes(UTF_8));
      }
    }
    StringBuilder csv = new StringBuilder("name;since\n");
    keys("a").forEach(key -> csv.append(key).append(".;2026\n"));
    Path table = Files.writeString(folder.resolve("table"), csv);
    build("a").exits(0);
    run("build", hosts.toString(), "-o", at("b"), "--like", at("a")).exits(0);
    run("build", table.toString(), "-o", at("c"), "--like", at("a"), "--format", "csv:name")
        .exits(0);
    assertArrayEquals(
        Files.readAllBytes(folder.resolve("a")), Files.readAllBytes(folder.resolve("b")));
    assertArrayEquals(
        Files.readAllBytes(folder.resolve("a")), Files.readAllBytes(folder.resolve("c")));
  }

  @Test
  void filtersThatDifferAreNotMerged() throws IOException {
    build("a").exits(0);
    Shell.with(
        new WorkbenchTools(() -> new SplittableRandom(1), () -> 0, 1L << 28),
        "filter",
        "build",
        list.toString(),
        "-o",
        at("seed"));
    assertFails(
        2,
        "differ in their seed; build the second one like the first",
        run("build", at("a"), at("seed"), "-o", at("x")));
    build("size", "--fpp", "0.01");
    assertFails(2, "differ in their size", run("build", at("a"), at("size"), "-o", at("x")));
    build("kind", "--kind", "classic");
    assertFails(2, "differ in their kind", run("build", at("a"), at("kind"), "-o", at("x")));
    assertFails(2, "--like", run("build", at("a"), list.toString(), "-o", at("x")));
    assertFails(
        2,
        "give no other option than -o",
        run("build", at("a"), at("a"), "-o", at("x"), "--fpp", "0.1"));
    assertTrue(Files.notExists(folder.resolve("x")));
  }

  @Test
  void whatIsNoListIsNotBuilt() throws IOException {
    assertFails(2, "there is no file", run("build", at("none"), "-o", at("f")));
    assertFails(1, "is a directory", run("build", folder.toString(), "-o", at("f")));
    Files.writeString(list, "<!DOCTYPE html>\n<html>moved</html>\n");
    assertFails(1, "is a web page, not a list", build("f"));
    Files.writeString(list, "this is prose\nand so is this\nok.example\n");
    assertFails(1, "is not a list: 2 bad lines, 1 good", build("f"));
    byte[] cut = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2};
    Files.write(list, cut);
    assertFails(1, "cannot be trusted", build("f"));
    assertFails(2, "there is no format", build("f", "--format", "ipz"));
    assertTrue(Files.notExists(folder.resolve("f")));
  }

  @Test
  void manyBadLinesMakeItPartlyDone() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      text.append("198.51.100.").append(i).append('\n');
    }
    Files.writeString(list, text + "x y\n".repeat(10));
    build("f", "--format", "ips").exits(0);
    Files.writeString(list, text + "x \u001b[31m\n".repeat(11));
    Shell.Result partly = build("f", "--format", "ips").exits(4);
    assertEquals(4, partly.err().lines().count(), "the first three are named: " + partly.err());
    partly.complainsNo("\u001b");
    assertTrue(Files.exists(folder.resolve("f")));
  }

  @Test
  void exceptionsAreLeftOutAndAnEmptyListSaysNo() throws IOException {
    Files.writeString(list, "192.0.2.0/24 REJECT\n192.0.2.9 OK\n");
    build("f", "--format", "postfix-cidr")
        .prints("read       1 keys, repeats included; exceptions 1");
    run("query", at("f"), "192.0.2.0/24", "192.0.2.9").exits(1);
    Files.writeString(list, "# nothing today\n");
    build("g").exits(0).complains("there was no key");
    run("query", at("g"), "192.0.2.9").exits(1);
  }

  @Test
  void knownGoodKeysAreForCascades() throws IOException {
    Path good = Files.writeString(folder.resolve("good"), "good.example\nhost1.a.example\n");
    assertFails(2, "name their lists with --good", build("f", "--kind", "cascade"));
    assertFails(
        2,
        "ask for --kind cascade",
        build("f", "--kind", "classic", "--known-good", good.toString()));
    build("f", "--good", good.toString())
        .exits(0)
        .prints("known good 2 keys, proven never to hit")
        .complains("1 listed keys are known-good too");
    run("query", at("f"), "host1.a.example").exits(1);
    run("query", at("f"), "host2.a.example").exits(0);
  }

  @Test
  void linesOfAnyTextAreKeys() throws IOException {
    Files.writeString(list, "account 17\r\n\n42\nWord\n");
    build("f", "--as", "text", "--output", "json")
        .ends(0, "\"format\":\"text\",\"lines\":4,\"keys\":3,");
    run("query", at("f"), "account 17", "42", "word", "203.0.113.7")
        .answers("maybe  account 17\nmaybe  42\nno     word\nno     203.0.113.7\n");
    run("diff", at("f"), list.toString()).exits(0);
    assertFails(2, "--as is mail or text", build("g", "--as", "words"));
    assertFails(2, "has no format", build("g", "--as", "text", "--format", "ips"));
    build("mail");
    Path more = Files.writeString(folder.resolve("more"), "two words\n");
    String[] args = {"filter", "build", more.toString(), "-o", at("g"), "--like", at("f")};
    Shell.run(args).exits(0);
    run("merge", at("f"), at("g"), "-o", at("both")).exits(0);
    run("query", at("both"), "two words", "Word").exits(0);
  }

  @Test
  void aFilterMadeForMoreKeysTakesThem() {
    build("f", "--kind", "classic", "--entries", "2002").exits(0);
    Shell.Result added = run("add", at("f"), "new.example", "new2.example").exits(0);
    assertTrue(added.out().endsWith("2 added, 2 of them new; 2,002 of 2,002 entries\n"));
    Shell.Result full = run("add", at("f"), "new.example", "new3.example");
    assertFails(1, "is full: it is made for 2002 keys, and key 2 finds no room", full);
    run("query", at("f"), "new3.example").exits(1);
  }

  @Test
  void aPackedFilterComesBack() throws IOException {
    build("f", "--kind", "classic", "--entries", "50000").exits(0);
    Shell.Result packed = run("pack", at("f"), "-o", at("p")).exits(0);
    assertTrue(
        packed.out().matches(".*/p: \\d[\\d,]* octets for \\d.* %; form golomb\n"), packed.out());
    assertTrue(Files.size(folder.resolve("p")) < Files.size(folder.resolve("f")) / 4);
    run("verify", at("p")).exits(0);
    assertFails(2, "not a filter", run("query", at("p"), "a.example"));
    run("pack", at("p"), "-o", at("back"), "-q").exits(0);
    assertArrayEquals(
        Files.readAllBytes(folder.resolve("f")), Files.readAllBytes(folder.resolve("back")));
  }
}
