package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
