package io.bloomgate.blocklists.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder that is swapped for a link while a tree is gone over leads nowhere. */
class SecureTreeTest {

  @TempDir Path folder;

  /** The swap happens in the middle: behind the first file of a folder, before its second one. */
  @Test
  void aFolderThatBecomesALinkIsNotLeft() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));
    Path tree = Files.createDirectories(folder.resolve("tree"));
    Path inner = Files.createDirectory(tree.resolve("inner"));
    for (String name : List.of("a", "b")) {
      Files.writeString(other.resolve(name), "of another user");
      Files.writeString(inner.resolve(name), "");
    }
    List<String> gone = new ArrayList<>();
    IOException refused =
        assertThrows(
            IOException.class,
            () ->
                SecureTree.walk(
                    tree,
                    (in, name, isFolder) -> {
                      if (isFolder) {
                        in.deleteDirectory(name);
                        return;
                      }
                      in.deleteFile(name);
                      gone.add(name.toString());
                      if (gone.size() == 1) {
                        Files.move(inner, folder.resolve("aside"));
                        Files.createSymbolicLink(inner, other);
                      }
                    }));
    assertEquals(2, gone.size(), gone + " " + refused);
    assertTrue(Files.exists(other.resolve("a")) && Files.exists(other.resolve("b")));
    assertTrue(Files.isSymbolicLink(inner));
  }

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
