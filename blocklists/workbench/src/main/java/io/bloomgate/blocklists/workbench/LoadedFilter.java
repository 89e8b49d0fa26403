package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.kinds.FillEstimate;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
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
import java.util.Optional;

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
    FilterFiles.requireFile(path);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        FileLock _ = channel.lock(0, Long.MAX_VALUE, true)) {
      return read(path, channel, means);
    } catch (IOException e) {
      throw FilterFiles.unreadable(path, e);
    } catch (OutOfMemoryError e) {
      throw means.tooLarge(path.toString());
    }
  }

  /** The same through a channel that is locked. */
  static LoadedFilter read(Path path, FileChannel channel, WorkbenchTools means)
      throws IOException, OfflineException {
    if (!means.canHold(channel.size())) {
      throw means.tooLarge(path.toString());
    }
    FilterFile file = FilterKinds.read(PagedFile.open(path, channel));
    return new LoadedFilter(path, file, channel.size());
  }

  /**
   * Proves a file page by page, in any memory, without making it a filter.
   *
   * @return what is wrong, or an empty text
   * @throws OfflineException when it is not there or cannot be read
   */
  public static String damage(Path path) throws OfflineException {
    FilterFiles.requireFile(path);
    try {
      PagedFile file = PagedFile.open(path);
      if (file.header().kind() != FilterPack.KIND) {
        FilterFile.kind(file);
      }
      file.verify();
      return "";
    } catch (DamagedFileException e) {
      return String.valueOf(e.getMessage());
    } catch (IOException e) {
      throw FilterFiles.unreadable(path, e);
    }
  }

  /**
   * The way in which its keys became hashes.
   *
   * @throws OfflineException when this release makes keys in another way
   */
  Key.Hashes hashes() throws OfflineException {
    return Key.Hashes.of(file.keying(), path.toString());
  }

  /** The filter itself. */
  MembershipFilter filter() {
    return file.filter();
  }

  /** The measures. */
  public FilterShape shape() {
    return file.filter().shape();
  }

  /**
   * The number of distinct keys in a filter. A header counts additions: a key that was added twice,
   * or that two merged filters have in common, is counted twice. Where the fill shows that, it says
   * how many there are.
   *
   * @param margin how far chance alone takes an estimate from the truth, at most; 0 for a count
   */
  public record Distinct(long count, boolean estimated, double margin) {

    /** The number in words for people. */
    public String words() {
      return (estimated ? "about " : "") + count + " entries";
    }
  }

  /** The number of distinct keys that it holds. */
  public Distinct distinct() {
    long counted = shape().entries();
    Optional<FillEstimate> fill =
        FillEstimate.of(filter()).filter(estimate -> estimate.isExceededBy(counted));
    return fill.map(estimate -> new Distinct(Math.round(estimate.keys()), true, estimate.margin()))
        .orElse(new Distinct(counted, false, 0));
  }

  /**
   * The object of {@code filter inspect}, with the file's name and size, and with the parts of a
   * filter that grows or counts.
   */
  public JsonObject toJson() {
    ObjectBuilder object = members().put("seed_id", Key.Hashes.seedId(file.keying()));
    List<FillEstimate.Part> parts = FillEstimate.Part.of(filter());
    if (!parts.isEmpty()) {
      object.put("slices", new JsonArray(parts.stream().map(LoadedFilter::json).toList()));
    }
    return object.build();
  }

  private static JsonValue json(FillEstimate.Part part) {
    ObjectBuilder object =
        JsonValue.object()
            .put("capacity", part.capacity())
            .put(part.counts() ? "counters" : "bits", part.places())
            .put("hashes", part.hashes())
            .put("used", part.used());
    if (part.counts()) {
      object.put("overflowed", part.overflowed());
    }
    return object
        .put("fill", part.used() / (double) part.places())
        .put("share_fpp", part.share())
        .put("expected_fpp", part.rate())
        .put("estimated_keys", whole(part.estimate().keys()))
        .build();
  }

  /** The members of every answer about it, to be continued. */
  ObjectBuilder members() {
    return JsonValue.object()
        .putAll(shape().toJson(FileHeader.FORMAT))
        .put("file", path.toString())
        .put("octets", octets);
  }

  /** A number of keys; null when the filter is so full that there may be any number. */
  static JsonValue whole(double number) {
    return Double.isFinite(number)
        ? new JsonValue.JsonNumber(Long.toString(Math.round(number)))
        : JsonValue.NULL;
  }
}
