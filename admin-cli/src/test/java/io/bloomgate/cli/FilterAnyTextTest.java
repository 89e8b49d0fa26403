package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Filters of any text, with room for more keys, and packed for transport. */
class FilterAnyTextTest extends FilterCase {

  @BeforeEach
  void writeNames() throws IOException {
    String names =
        IntStream.range(0, 2_000)
            .mapToObj(i -> "host" + i + ".a.example\n")
            .collect(Collectors.joining());
    writeList(names);
  }

  @Test
  void linesOfAnyTextAreKeys() throws IOException {
    Files.writeString(list, "account 17\r\n\n42\nWord\n");
    Shell.Result built = build("f", "--as", "text", "--output", "json");
    assertEquals(0, built.exitCode(), built.err());
    assertTrue(built.out().contains("\"format\":\"text\",\"lines\":4,\"keys\":3,"), built.out());
    Shell.Result asked = run("query", at("f"), "account 17", "42", "word", "203.0.113.7");
    assertEquals("maybe  account 17\nmaybe  42\nno     word\nno     203.0.113.7\n", asked.out());
    assertEquals(0, run("diff", at("f"), list.toString()).exitCode());
    assertFails(2, "--as is mail or text", build("g", "--as", "words"));
    assertFails(2, "has no format", build("g", "--as", "text", "--format", "ips"));
    build("mail");
    Path more = Files.writeString(folder.resolve("more"), "two words\n");
    String[] args = {"filter", "build", more.toString(), "-o", at("g"), "--like", at("f")};
    assertEquals(0, Shell.run(args).exitCode());
    assertEquals(0, run("merge", at("f"), at("g"), "-o", at("both")).exitCode());
    assertEquals(0, run("query", at("both"), "two words", "Word").exitCode());
  }

  @Test
  void aFilterMadeForMoreKeysTakesThem() {
    assertEquals(0, build("f", "--kind", "classic", "--entries", "2002").exitCode());
    Shell.Result added = run("add", at("f"), "new.example", "new2.example");
    assertEquals(0, added.exitCode(), added.err());
    assertTrue(added.out().endsWith("2 added, 2 of them new; 2,002 of 2,002 entries\n"));
    Shell.Result full = run("add", at("f"), "new.example", "new3.example");
    assertFails(1, "is full: it is made for 2002 keys, and key 2 finds no room", full);
    assertEquals(1, run("query", at("f"), "new3.example").exitCode());
  }

  @Test
  void aPackedFilterComesBack() throws IOException {
    assertEquals(0, build("f", "--kind", "classic", "--entries", "50000").exitCode());
    Shell.Result packed = run("pack", at("f"), "-o", at("p"));
    assertEquals(0, packed.exitCode(), packed.err());
    assertTrue(
        packed.out().matches(".*/p: \\d[\\d,]* octets for \\d.* %; form golomb\n"), packed.out());
    assertTrue(Files.size(folder.resolve("p")) < Files.size(folder.resolve("f")) / 4);
    assertEquals(0, run("verify", at("p")).exitCode());
    assertFails(2, "not a filter", run("query", at("p"), "a.example"));
    assertEquals(0, run("pack", at("p"), "-o", at("back"), "-q").exitCode());
    assertArrayEquals(
        Files.readAllBytes(folder.resolve("f")), Files.readAllBytes(folder.resolve("back")));
  }
}
