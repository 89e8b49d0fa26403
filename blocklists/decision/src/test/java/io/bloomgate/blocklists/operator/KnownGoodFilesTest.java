package io.bloomgate.blocklists.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.generation.KnownGood;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of the known-good set. */
class KnownGoodFilesTest {

  @TempDir Path dir;

  private final List<String> problems = new ArrayList<>();

  private static List<String> subjects(KnownGood files) {
    List<String> subjects = new ArrayList<>();
    files.forEach((subject, _) -> subjects.add(subject.toString()));
    return subjects;
  }

  @Test
  void readsFilesAndPatternsAndReportsBadLines() throws Exception {
    Path one = dir.resolve("one.txt");
    Files.writeString(
        one, "\ufeff# partners\nPartner.example # since 2019\n\nno name\n192.0.2.7\n");
    Files.createDirectory(dir.resolve("d"));
    Files.writeString(dir.resolve("d/b.list"), "b@c.example\r\n");
    Files.writeString(dir.resolve("d/a.list"), "a.example from=192.0.2.0/24\n");
    KnownGood files = KnownGoodFiles.read(List.of(one, dir.resolve("d/*.list")), problems::add);
    assertEquals(
        List.of("partner.example", "192.0.2.7", "a.example", "b@c.example"), subjects(files));
    assertEquals(subjects(files), subjects(files));
    assertEquals(1, problems.size(), problems.toString());
    assertTrue(problems.getFirst().startsWith(one + ":4: "), problems.toString());
  }

  @Test
  void whatCannotBeReadAndAnOpenBracketDoNotTakeTheRestWithThem() throws Exception {
    Path good = dir.resolve("good.txt");
    Files.writeString(good, "good.example\n");
    List<Path> places =
        Stream.of("[a.list", "missing.txt", "", "none/*.list", "{b,c.list", "good.txt")
            .map(dir::resolve)
            .toList();
    assertEquals(List.of("good.example"), subjects(KnownGoodFiles.read(places, problems::add)));
    assertEquals(5, problems.size(), problems.toString());
    assertTrue(
        problems.getFirst().startsWith(dir.resolve("[a.list") + " is not a file pattern ("),
        problems.getFirst());
    assertTrue(problems.toString().contains("missing.txt does not exist"));
    assertEquals(KnownGoodFiles.stamp(places), KnownGoodFiles.stamp(places));
  }

  @Test
  void aFileThatIsTooLongIsLeftOut() throws Exception {
    Path huge = dir.resolve("huge.txt");
    try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
      file.setLength((64L << 20) + 1);
    }
    KnownGood files = KnownGoodFiles.read(List.of(huge), problems::add);
    assertEquals(List.of(), subjects(files));
    assertTrue(problems.getFirst().contains("67108864 octets"), "" + problems);
  }

  @Test
  void manyBadLinesAreCounted() throws Exception {
    Path bad = dir.resolve("bad.txt");
    Files.writeString(bad, "no name\n".repeat(100));
    KnownGoodFiles.read(List.of(bad), problems::add);
    assertEquals(21, problems.size());
    assertTrue(problems.getLast().contains("80"), problems.getLast());
  }

  @Test
  void theStampTellsAChange() throws Exception {
    Path file = dir.resolve("f.list");
    List<Path> places = List.of(dir.resolve("*.list"));
    String none = KnownGoodFiles.stamp(places);
    Files.writeString(file, "a.example\n");
    String one = KnownGoodFiles.stamp(places);
    assertEquals(one, KnownGoodFiles.stamp(places));
    Files.writeString(file, "a.example\nb.example\n");
    assertNotEquals(none, one);
    assertNotEquals(one, KnownGoodFiles.stamp(places));
  }
}
