package io.bloomgate.blocklists.file;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links are removed, and what they lead to stays. */
class DurableFilesTest {

  @TempDir Path folder;

  @Test
  void aTreeWithLinksIsRemovedAndWhatTheyLeadToStays() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.writeString(other.resolve("a"), "");
    Path tree = folder.resolve("tree");
    Files.createDirectories(tree.resolve("deep/er"));
    Files.createSymbolicLink(tree.resolve("deep/link"), other);
    Files.createSymbolicLink(tree.resolve("gone"), folder.resolve("missing"));
    DurableFiles.deleteTree(tree);
    assertTrue(Files.notExists(tree) && Files.exists(other.resolve("a")));
    DurableFiles.deleteTree(tree);
  }
}
