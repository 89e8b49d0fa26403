package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.blocklists.filter.kinds.FilterPart;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

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
    InputFiles.requireFilter(path);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        FileLock _ = channel.lock(0, Long.MAX_VALUE, true)) {
      long octets = channel.size();
      if (!means.canHold(octets)) {
        throw means.tooLarge(path.toString());
      }
      FilterFile file = FilterKinds.read(PagedFile.open(path, channel));
      return new LoadedFilter(path, file, octets);
    } catch (IOException e) {
      throw InputFiles.unreadable(path, e);
    } catch (OutOfMemoryError e) {
      throw means.tooLarge(path.toString());
    }
  }

  /**
   * The way in which its keys became hashes.
   *
   * @throws OfflineException when this release makes keys in another way
   */
  SubjectHash hash() throws OfflineException {
    return SubjectHash.of(file.keying(), path.toString());
  }

  /** The filter itself. */
  MembershipFilter filter() {
    return file.filter();
  }

  /** The measures. */
  public FilterShape shape() {
    return file.filter().shape();
  }

  /** The number of distinct keys that it holds. */
  public DistinctEntries distinctEntries() {
    return DistinctEntries.of(this);
  }

  /**
   * The object of {@code filter inspect}, with the file's name and size, and with the parts of a
   * filter that grows or counts.
   */
  public JsonObject toJson() {
    ObjectBuilder object = members().put("seed_id", SeedId.of(file.keying()));
    List<FilterPart> parts = FilterPart.of(filter());
    if (!parts.isEmpty()) {
      object.put("slices", new JsonArray(parts.stream().map(LoadedFilter::json).toList()));
    }
    return object.build();
  }

  private static JsonValue json(FilterPart part) {
    ObjectBuilder object =
        JsonValue.object()
            .put("capacity", part.capacity())
            .put(part.counters() ? "counters" : "bits", part.places())
            .put("hashes", part.hashes())
            .put("used", part.used());
    if (part.counters()) {
      object.put("overflowed", part.overflowed());
    }
    return object
        .put("fill", part.fill())
        .put("share_fpp", part.share())
        .put("expected_fpp", part.rate())
        .put("estimated_keys", FilterEstimate.whole(part.estimate().keys()))
        .build();
  }

  /** The same, to be continued. */
  ObjectBuilder members() {
    return JsonValue.object()
        .putAll(file.inspect())
        .put("file", path.toString())
        .put("octets", octets);
  }
}
