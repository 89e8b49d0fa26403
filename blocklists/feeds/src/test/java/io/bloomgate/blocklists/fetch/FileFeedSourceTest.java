package io.bloomgate.blocklists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedLimits;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.blocklists.format.ParseTotals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Feeds from files and globs. */
class FileFeedSourceTest {

  @TempDir private Path folder;
  @TempDir private Path target;

  private FileFeedSource source(String pattern) {
    return source(pattern, new TimedReads(Runnable::run, FeedLimits.FETCH_TIME));
  }

  private FileFeedSource source(String pattern, TimedReads reads) {
    return new FileFeedSource(folder.resolve(pattern).toString(), false, reads);
  }

  private FetchResult fetch(String pattern, Validators known) throws IOException {
    Path directory = Files.createTempDirectory(target, "fetch");
    return source(pattern).fetch(known, directory);
  }

  @Test
  void readsAFileOnceUntilItChanges() throws IOException {
    Path file = Files.writeString(folder.resolve("list.txt"), "192.0.2.1\n");
    var first = assertInstanceOf(FetchResult.Fetched.class, fetch("list.txt", Validators.NONE));
    assertInstanceOf(FetchResult.NotModified.class, fetch("list.txt", first.validators()));
    String before = source("list.txt").state();
    assertEquals(first.validators().files(), before);
    Files.writeString(file, "192.0.2.1\n192.0.2.2\n");
    assertNotEquals(before, source("list.txt").state());
    assertInstanceOf(FetchResult.Fetched.class, fetch("list.txt", first.validators()));
  }

  @Test
  void severalFilesAreOneListWithLinesThatGoOn() throws IOException {
    Files.writeString(folder.resolve("b.txt"), "b.example\nnot valid\n");
    Files.writeString(folder.resolve("a.txt"), "# head\na.example");
    Files.writeString(folder.resolve("c.other"), "c.example\n");
    var fetched = assertInstanceOf(FetchResult.Fetched.class, fetch("*.txt", Validators.NONE));
    List<String> seen = new ArrayList<>();
    FeedSink sink =
        new FeedSink() {
          @Override
          public void entry(ListEntry entry) {
            seen.add(entry.text() + ":" + entry.line());
          }

          @Override
          public void problem(ParseProblem problem) {
            seen.add("bad:" + problem.line());
          }
        };
    ParseTotals totals = fetched.content().read(fetched.content().detect(), null, sink);
    assertEquals(List.of("a.example:2", "b.example:3", "bad:4"), seen);
    assertEquals(4, totals.lines());
  }

  @Test
  void saysWhatIsMissing() throws IOException {
    var missing = assertInstanceOf(FetchResult.Failed.class, fetch("no.txt", Validators.NONE));
    assertTrue(missing.message().contains("there is no file"), missing.message());
    var none = assertInstanceOf(FetchResult.Failed.class, fetch("*.none", Validators.NONE));
    assertTrue(none.message().contains("no file matches"), none.message());
    Files.createDirectory(folder.resolve("directory"));
    assertInstanceOf(FetchResult.Failed.class, fetch("directory", Validators.NONE));
  }

  /** Opening a pipe waits for a writer, and nothing interrupts it. */
  @Test
  void aPipeThatNobodyWritesToIsNamedAndHoldsUpNoOtherFeed() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    var refused = assertInstanceOf(FetchResult.Failed.class, fetch("pipe", Validators.NONE));
    assertTrue(refused.message().contains("name a regular file"), refused.message());
    Semaphore ended = new Semaphore(0);
    AtomicInteger started = new AtomicInteger();
    TimedReads reads =
        new TimedReads(
            work ->
                Thread.ofPlatform()
                    .daemon()
                    .start(() -> {
                      started.incrementAndGet();
                      work.run();
                      ended.release();
                    }),
            Duration.ofMillis(200));
    FileFeedSource source = new FileFeedSource(pipe.toString(), true, reads);
    for (int round = 0; round < 2; round++) {
      Path directory = Files.createTempDirectory(target, "fetch");
      var failed =
          assertInstanceOf(FetchResult.Failed.class, source.fetch(Validators.NONE, directory));
      assertTrue(failed.message().contains("a pipe that nobody writes to"), failed.message());
      assertEquals("unreadable", source.state());
    }
    assertEquals(1, started.get(), "one thread waits, however often the feed is due");
    Files.writeString(folder.resolve("list.txt"), "192.0.2.1\n");
    Path directory = Files.createTempDirectory(target, "fetch");
    assertInstanceOf(
        FetchResult.Fetched.class, source("list.txt", reads).fetch(Validators.NONE, directory));
    Files.writeString(pipe, "192.0.2.1\n");
    ended.acquire(2);
    assertNotEquals("unreadable", source.state(), "its writer came");
  }

  /** Asked every second by the refresher, whose other feeds must not suffer from it. */
  @Test
  void aPatternThatIsNoneIsThisFeedsFailureAndNoMore() throws IOException {
    for (String pattern : List.of("[ab.txt", "{a,b.txt", "a[*")) {
      var none = assertInstanceOf(FetchResult.Failed.class, fetch(pattern, Validators.NONE));
      assertTrue(none.message().contains("not a pattern of files"), none.message());
      assertEquals("unreadable", source(pattern).state(), pattern);
    }
    Files.writeString(folder.resolve("a[1.txt"), "192.0.2.1\n");
    assertInstanceOf(FetchResult.Fetched.class, fetch("a[1.txt", Validators.NONE));
    assertInstanceOf(FetchResult.Fetched.class, fetch("a\\[?.txt", Validators.NONE));
  }

  @Test
  void whatChangesWhileItIsCopiedIsNoVersion() throws IOException {
    Files.writeString(folder.resolve("a.txt"), "192.0.2.1\n");
    Path second = Files.writeString(folder.resolve("b.txt"), "192.0.2.2\n192.0.2.3\n");
    // The copy of the first writes into the second, as somebody would who is at work on them.
    Path incoming = Files.createDirectory(folder.resolve("incoming"));
    Files.createSymbolicLink(incoming.resolve(FileFeedSource.partName(0)), second);
    FileFeedSource source = source("*.txt");
    var torn = assertInstanceOf(FetchResult.Failed.class, source.fetch(Validators.NONE, incoming));
    assertTrue(torn.message().contains("changed while it was read"), torn.message());
  }
}
