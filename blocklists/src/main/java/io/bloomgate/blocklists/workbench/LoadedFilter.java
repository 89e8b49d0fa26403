package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A filter file that was read whole and found undamaged. Immutable.
 *
 * @param octets of the file
 */
public record LoadedFilter(Path path, FilterFile file, long octets) {

  /**
   * Reads a filter and proves every octet of it.
   *
   * @throws OfflineException when it is not there, damaged, no filter, or larger than the memory
   */
  public static LoadedFilter read(Path path, WorkbenchTools means) throws OfflineException {
    InputFiles.requireReadable(path);
    try {
      long octets = Files.size(path);
      if (!means.canHold(octets)) {
        throw means.tooLarge(path.toString());
      }
      return new LoadedFilter(path, FilterKinds.read(path), octets);
    } catch (IOException e) {
      throw InputFiles.unreadable(path, e);
    } catch (OutOfMemoryError e) {
      throw means.tooLarge(path.toString());
    }
  }

  /**
   * How its keys became hashes.
   *
   * @throws OfflineException when this release makes keys in another way
   */
  KeyHash hash() throws OfflineException {
    Keying keying = file.keying();
    if (keying.hashVersion() != KeyHash.VERSION
        || keying.normalisationVersion() != KeyHash.NORMALISATION_VERSION) {
      throw new OfflineException(
          Kind.FAILED,
          path + " was made by another release (" + keying + ") and cannot be asked by this one",
          "build it again");
    }
    return new KeyHash(keying.seedHigh(), keying.seedLow());
  }

  /** The filter itself. */
  MembershipFilter filter() {
    return file.filter();
  }

  /** The measures. */
  public FilterShape shape() {
    return file.filter().shape();
  }

  /** The object of {@code filter inspect} (contract, section 7), with the file's name and size. */
  public JsonObject toJson() {
    return members().build();
  }

  /** The same, to be continued. */
  ObjectBuilder members() {
    ObjectBuilder object = JsonValue.object();
    file.inspect().members().forEach(object::put);
    return object.put("file", path.toString()).put("octets", octets);
  }
}
