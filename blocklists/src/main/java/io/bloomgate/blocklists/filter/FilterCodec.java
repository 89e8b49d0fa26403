package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.util.List;

/**
 * How one kind of filter lies in the body of a file. Used by {@link FilterFile}; stateless.
 *
 * @param <F> the kind
 */
interface FilterCodec<F extends MembershipFilter> {

  /**
   * Writes the body.
   *
   * @return the measures that the header keeps, in the kind's own order
   */
  List<Long> write(F filter, PagedFileWriter out) throws IOException;

  /**
   * Reads a body whose header is proven; every page is proven here.
   *
   * @throws io.bloomgate.blocklists.file.DamagedFileException when a page is damaged or the
   *     measures describe no such filter
   */
  F read(PagedFile file) throws IOException;
}
