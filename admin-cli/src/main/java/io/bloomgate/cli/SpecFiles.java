package io.bloomgate.cli;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.cli.command.SpecWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Writes the annotations of all commands among the classes of this module, where a start reads them
 * quicker. Started by the build of this module, see its pom; the same input gives the same octets.
 */
public final class SpecFiles {

  private SpecFiles() {}

  /**
   * Writes all files.
   *
   * @param args the folder; those of an earlier build are removed from it first
   */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    DurableFiles.deleteTree(folder);
    Files.createDirectories(folder);
    for (Map.Entry<String, byte[]> file : SpecWriter.files(ManualPages.tree()).entrySet()) {
      Files.write(folder.resolve(file.getKey()), file.getValue());
    }
  }
}
