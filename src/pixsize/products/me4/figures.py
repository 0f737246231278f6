"""Where the rates of ME4 arrays come from, beside the measurements."""

from functools import partial

from pixsize.arrays.most import most_of_module
from pixsize.arrays.throughput import throughput_figures
from pixsize.figures import Source

CONTROLLERS = Source(
    "dell-pixstor-6", "PixStor solution with capacity expansion, Sequential IOzone: limited by controllers"
)
THROUGHPUT = partial(throughput_figures, controllers_seen=(CONTROLLERS,))
MOST_OF_MODULE = partial(most_of_module, controllers_seen=(CONTROLLERS,))
